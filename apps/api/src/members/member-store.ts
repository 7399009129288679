import { Injectable } from '@nestjs/common';
import {
  decideMember,
  type MemberDecision,
  decodeMemberEvent,
  encodeMemberEvent,
  evolveMember,
  type MemberCommand,
  memberStream,
  newRelationship,
  type Relationship,
} from '@app/domain';
import { DecidedStreams } from '../platform/journal/decided-streams.js';
import type { By } from '../platform/journal/stream-metadata.js';

/** The first of the two is who does it. */
export type Pair = Pick<Relationship, 'memberId' | 'otherId'>;

/** Decides on what has happened so far; no command where that says that there is nothing to do. */
export type MemberIntent = (relationship: Relationship) => MemberCommand | undefined;

/** The streams `user-{id}`: what members do towards each other. */
@Injectable()
export class MemberStore {
  constructor(private readonly streams: DecidedStreams) {}

  /** What a member has to do with another, with everything that was in the store when this was called. @throws AppError 503 */
  async current(pair: Pair): Promise<Relationship> {
    return (await this.streams.read(rulesOf(pair))).state;
  }

  /** @throws AppError 503 */
  async execute(pair: Pair, intent: MemberIntent, by: By): Promise<MemberDecision> {
    return this.streams.execute(
      rulesOf(pair),
      (state, nowMs): MemberDecision => {
        const command = intent(state);
        return command ? decideMember(state, command, nowMs) : { events: [] };
      },
      by,
    );
  }

  /** All of them at once: the stream is read once. @throws AppError 503 */
  async unfollow(memberId: string, otherIds: readonly string[], by: By): Promise<void> {
    await this.streams.execute(
      {
        ...CODEC,
        stream: memberStream(memberId),
        initial: otherIds.map((otherId) => newRelationship({ memberId, otherId })),
        evolve: (all, event) => all.map((one) => evolveMember(one, event)),
      },
      (all, nowMs) => {
        const decisions = all.map((one) => decideMember(one, { type: 'Unfollow' }, nowMs));
        return { events: decisions.flatMap((decision) => ('events' in decision ? decision.events : [])) };
      },
      by,
    );
  }
}

const CODEC = { decode: decodeMemberEvent, encode: encodeMemberEvent };

const rulesOf = (pair: Pair) => ({
  ...CODEC,
  stream: memberStream(pair.memberId),
  initial: newRelationship(pair),
  evolve: evolveMember,
});
