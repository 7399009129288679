import { Inject, Injectable } from '@nestjs/common';
import type { OpenLedger } from '../platform/ledger/open-ledger.js';
import { OPEN_LEDGER } from '../platform/ledger/injected-ledger.js';

/** The time for decisions on chats: the journal's (rule ledger-30). A separate class, so that tests can move it. */
@Injectable()
export class ChatClock {
  constructor(@Inject(OPEN_LEDGER) private readonly ledger: OpenLedger) {}

  /** Milliseconds since 1970. */
  now(): number {
    return this.ledger.clock.now();
  }
}
