import { Inject, Injectable } from '@nestjs/common';
import { decodeModerationEvent, encodeModerationEvent, type ModerationEvent, moderationStream } from '@app/domain';
import type { EventStore } from '@app/event-store';
import { v7 as uuidv7 } from 'uuid';
import { APPEND_DEADLINE_MS, appendUntilKnown } from '../platform/journal/append-until-known.js';
import { DecidedStreams } from '../platform/journal/decided-streams.js';
import { StreamMetadata } from '../platform/journal/stream-metadata.js';
import { EVENT_STORE } from '../platform/journal/tokens.js';
import type { OpenLedger } from '../platform/ledger/open-ledger.js';
import { OPEN_LEDGER } from '../platform/ledger/tokens.js';

/** An act before it is stamped with journal time. */
export type Act = ModerationEvent extends infer E ? (E extends ModerationEvent ? Omit<E, 'at'> : never) : never;

/** Writes down what admins do (`decisions.md`, Admin: every action is an event with actor, target and reason). */
@Injectable()
export class Moderation {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(OPEN_LEDGER) private readonly ledger: Pick<OpenLedger, 'clock'>,
    private readonly streams: DecidedStreams,
    private readonly metadata: StreamMetadata,
  ) {}

  /** Returns once the audit shows it. @throws AppError 503 */
  async record(act: Act, requestId?: string): Promise<void> {
    const event: ModerationEvent = { ...act, at: this.ledger.clock.now() };
    const stream = moderationStream(act.targetId);
    const metadata = this.metadata.of({ actor: `admin:${act.adminId}`, correlationId: requestId });
    await appendUntilKnown(this.store, {
      stream,
      events: [{ id: uuidv7(), type: event.type, data: encodeModerationEvent(event), metadata }],
      expected: 'any',
      deadline: performance.now() + APPEND_DEADLINE_MS,
    });
    await this.streams.caughtUp(['audit', 'ratings', 'cards'], stream);
  }

  /**
   * The same, unless such an act on this target and subject was recorded before: for what is taken up again after a crash, or
   * can happen once only.
   * @throws AppError 503
   */
  async recordOnce(act: Act, requestId?: string): Promise<void> {
    const stream = moderationStream(act.targetId);
    await this.streams.execute(
      {
        stream,
        initial: false,
        evolve: (isThere: boolean, { type, subjectId }: ModerationEvent) =>
          isThere || (type === act.type && subjectId === act.subjectId),
        decode: decodeModerationEvent,
        encode: encodeModerationEvent,
      },
      (isThere, nowMs) => ({ events: isThere ? [] : [{ ...act, at: nowMs }] }),
      { actor: `admin:${act.adminId}`, correlationId: requestId },
    );
    await this.streams.caughtUp(['audit'], stream);
  }
}
