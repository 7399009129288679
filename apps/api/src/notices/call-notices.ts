import { CALL_RINGS_MS } from '@app/domain';
import { EventsHandler, type IEventHandler } from '@nestjs/cqrs';
import type { Pool } from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { CallOver, CallRings } from '../realtime/video-calls.js';
import type { NewNotice } from './notice.js';
import { addNotices } from './notices.js';
import { queuePushes } from './push/push-queue.js';

/** Somebody calls: the browsers of the one who is called are notified, unless the call has rung out before. */
@EventsHandler(CallRings)
export class NotifyOfCall implements IEventHandler<CallRings> {
  constructor(@InjectPool() private readonly pool: Pool) {}

  async handle({ chatId, callerId, calledId }: CallRings): Promise<void> {
    const facts = { chatId, otherId: callerId };
    const expiresAt = Date.now() + CALL_RINGS_MS;
    await queuePushes(this.pool, [{ memberId: calledId, kind: 'call', topic: `call:${chatId}`, facts, expiresAt }]);
  }
}

/** A call that took place is told to both; one that was missed, and not declined, to the one who was called. */
@EventsHandler(CallOver)
export class TellOfCall implements IEventHandler<CallOver> {
  constructor(@InjectPool() private readonly pool: Pool) {}

  async handle({ sessionId: source, chatId, callerId, calledId, endedBy, seconds }: CallOver): Promise<void> {
    const at = Date.now();
    const told = (memberId: string, otherId: string): NewNotice =>
      seconds === null
        ? { memberId, source, kind: 'call_missed', facts: { chatId, otherId }, at }
        : { memberId, source, kind: 'call_ended', facts: { chatId, otherId, seconds }, at };
    const toCalled = told(calledId, callerId);
    const unanswered = endedBy === calledId ? [] : [toCalled];
    const notices = seconds === null ? unanswered : [toCalled, told(callerId, calledId)];
    await addNotices((sql, values) => this.pool.query(sql, values), notices);
  }
}
