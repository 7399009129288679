import { Inject, Injectable } from '@nestjs/common';
import { encodeModerationEvent, type ModerationEvent, moderationStream } from '@app/domain';
import type { EventStore } from '@app/event-store';
import { v7 as uuidv7 } from 'uuid';
import { APPEND_DEADLINE_MS, appendUntilKnown } from '../platform/journal/append-until-known.js';
import { DecidedStreams } from '../platform/journal/decided-streams.js';
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
  ) {}

  /**
   * Returns once the audit shows it. With an `eventId` of the caller's, recording it again after a crash changes nothing.
   * @throws AppError 503
   */
  async record(act: Act, requestId?: string, eventId: string = uuidv7()): Promise<void> {
    const event: ModerationEvent = { ...act, at: this.ledger.clock.now() };
    const stream = moderationStream(act.targetId);
    const metadata = JSON.stringify({ actor: `admin:${act.adminId}`, requestId });
    await appendUntilKnown(this.store, {
      stream,
      events: [{ id: eventId, type: event.type, data: encodeModerationEvent(event), metadata }],
      expected: 'any',
      deadline: performance.now() + APPEND_DEADLINE_MS,
    });
    await this.streams.caughtUp(['audit', 'ratings', 'cards'], stream);
  }
}
