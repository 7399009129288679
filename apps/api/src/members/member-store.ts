import { Injectable } from '@nestjs/common';
import {
  decideMember,
  type MemberDecision,
  decodeMemberEvent,
  encodeMemberEvent,
  evolveMember,
  type MemberCommand,
  type MemberEvent,
  type MemberState,
  memberStream,
  newMember,
} from '@app/domain';
import { type By, DecidedStreams } from '../platform/journal/decided-streams.js';

/** A member's stream, read whole: it has a limited length, and is read when something changes only. */
export interface MemberRecord {
  readonly state: MemberState;
  readonly events: readonly MemberEvent[];
}

/** Decides on what has happened so far; no command where that says that there is nothing to do. */
export type MemberIntent = (record: MemberRecord) => MemberCommand | undefined;

/** The streams `user-{id}`: what members do towards each other. */
@Injectable()
export class MemberStore {
  constructor(private readonly streams: DecidedStreams) {}

  /** What a member has to do with others, with everything that was in the store when this was called. @throws AppError 503 */
  async current(memberId: string): Promise<MemberState> {
    const { state: record } = await this.streams.read(rulesOf(memberId));
    return record.state;
  }

  /** @throws AppError 503 */
  async execute(memberId: string, intent: MemberIntent, by: By): Promise<MemberDecision> {
    return this.streams.execute(
      rulesOf(memberId),
      (record, nowMs): MemberDecision => {
        const command = intent(record);
        return command ? decideMember(record.state, command, nowMs) : { events: [] };
      },
      by,
    );
  }
}

const rulesOf = (memberId: string) => ({
  stream: memberStream(memberId),
  initial: { state: newMember(memberId), events: [] },
  evolve: ({ state, events }: MemberRecord, event: MemberEvent): MemberRecord => ({
    state: evolveMember(state, event),
    events: [...events, event],
  }),
  decode: decodeMemberEvent,
  encode: encodeMemberEvent,
});
