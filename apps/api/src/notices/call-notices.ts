import { Injectable } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import type { NewNotice } from './notice.js';
import { addNotices } from './notices.js';
import { queuePushes } from './push/push-queue.js';

/** For so long a call that nobody answers is worth a notification. */
const RINGS_MS = 45_000;

export interface EndedCall {
  readonly sessionId: string;
  readonly chatId: string;
  readonly callerId: string;
  readonly calleeId: string;
  /** Undefined: the other side never joined. */
  readonly seconds: number | undefined;
  /** The callee declined it, and knows. */
  readonly isDeclined: boolean;
}

/** Calls are in no journal: whoever keeps them says when one begins and ends. */
@Injectable()
export class CallNotices {
  constructor(@InjectPool() private readonly pool: Pool) {}

  /** Somebody calls: the callee's browsers ring. */
  async ringing(call: {
    readonly chatId: string;
    readonly callerId: string;
    readonly calleeId: string;
  }): Promise<void> {
    const { chatId, callerId, calleeId } = call;
    const facts = { chatId, otherId: callerId };
    const expiresAt = Date.now() + RINGS_MS;
    await queuePushes(this.pool, [{ memberId: calleeId, kind: 'call', topic: `call:${chatId}`, facts, expiresAt }]);
  }

  /** A call that took place is told to both, one that was missed to the callee; in the transaction that ends it. */
  async ended(client: PoolClient, call: EndedCall): Promise<void> {
    const { sessionId: source, chatId, callerId, calleeId, seconds, isDeclined } = call;
    const at = Date.now();
    const told = (memberId: string, otherId: string): NewNotice =>
      seconds === undefined
        ? { memberId, source, kind: 'call_missed', facts: { chatId, otherId }, at }
        : { memberId, source, kind: 'call_ended', facts: { chatId, otherId, seconds }, at };
    const toCallee = told(calleeId, callerId);
    const unanswered = isDeclined ? [] : [toCallee];
    const notices = seconds === undefined ? unanswered : [toCallee, told(callerId, calleeId)];
    await addNotices((sql, values) => client.query(sql, values), notices);
  }
}
