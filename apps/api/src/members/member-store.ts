import {
  decideMember,
  decodeMemberEvent,
  encodeMemberEvent,
  evolveMember,
  type MemberCommand,
  type MemberEvent,
  type MemberRejection,
  type MemberState,
  memberStream,
  newMember,
} from '@app/domain';
import { type EventStore, StoreUnavailable, upcast, WrongExpectedRevision } from '@app/event-store';
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../platform/errors/app-error.js';
import { APPEND_DEADLINE_MS, appendUntilKnown, storeUnavailable } from '../platform/journal/append-until-known.js';

/** A member does one thing at a time; two browsers and the process manager may meet. */
const CONFLICTS_MAX = 10;

/** A member's stream, read whole: it has a limited length, and is read when something changes only. */
export interface MemberRecord {
  readonly state: MemberState;
  readonly revision: number;
  readonly events: readonly MemberEvent[];
}

export type MemberOutcome = { readonly events: readonly MemberEvent[] } | { readonly rejection: MemberRejection };

/** Decides on what has happened so far; no command where that says that there is nothing to do. */
export type MemberIntent = (record: MemberRecord) => MemberCommand | undefined;

export interface MemberStoreOptions {
  readonly store: EventStore;
  readonly clock: { now(): number };
}

/** The streams `user-{id}`: what members do towards each other. */
export class MemberStore {
  constructor(private readonly options: MemberStoreOptions) {}

  /** @throws AppError 503 */
  async execute(
    memberId: string,
    intent: MemberIntent,
    by: { readonly actor: string; readonly requestId?: string | undefined },
  ): Promise<MemberOutcome> {
    const deadline = performance.now() + APPEND_DEADLINE_MS;
    for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts++) {
      const record = await this.read(memberId);
      const command = intent(record);
      if (!command) return { events: [] };
      const decision = decideMember(record.state, command, this.options.clock.now());
      if ('rejection' in decision || decision.events.length === 0) return decision;
      try {
        await appendUntilKnown(this.options.store, {
          stream: memberStream(memberId),
          events: decision.events.map((event) => ({
            id: uuidv7(),
            type: event.type,
            data: encodeMemberEvent(event),
            metadata: JSON.stringify(by),
          })),
          expected: record.revision < 0 ? 'none' : record.revision,
          deadline,
        });
        return decision;
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
      }
    }
    throw new AppError(503, 'BUSY', 'Too much at once: nothing was done, please try again.', { retryAfterSeconds: 1 });
  }

  private async read(memberId: string): Promise<MemberRecord> {
    const events: MemberEvent[] = [];
    try {
      for await (const batch of this.options.store.readStream(memberStream(memberId))) {
        for (const { type, data } of batch) events.push(decodeMemberEvent(type, upcast(type, data)));
      }
    } catch (error) {
      throw error instanceof StoreUnavailable ? storeUnavailable(error) : error;
    }
    let state = newMember(memberId);
    for (const event of events) state = evolveMember(state, event);
    return { state, revision: events.length - 1, events };
  }
}
