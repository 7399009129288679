import type { EventStore } from '@app/event-store';
import { VerifiedLedger } from '@app/ledger';
import { type TerminalLedgerParts, withTerminalLedger } from '../terminal-ledger.js';
import { closePeriod } from './close-period.js';
import { endOfYesterday } from './daily-closing.js';
import { PeriodBlocks } from './period-blocks.js';
import { toRoot } from './period-views.js';
import { SealedPeriods } from './sealed-periods.js';

export interface CloseFromTerminal extends TerminalLedgerParts {
  /** The last moment of the period; the end of yesterday (UTC) where none is given. */
  readonly until: number | undefined;
  readonly onProgress: (what: string, done: number, total: number) => void;
}

/** `close`: closes a period. Answers with what is published of it. */
export function closeFromTerminal(from: CloseFromTerminal): Promise<string> {
  const { store, pool, until, onProgress } = from;
  return withTerminalLedger(from, async (ledger, clock, metadata) => {
    const period = await closePeriod(
      {
        store,
        events: new VerifiedLedger(store, () => ledger.head),
        ledger,
        clock,
        periods: new SealedPeriods(store),
        blocks: new PeriodBlocks(pool, store),
        metadata,
      },
      {
        endsAt: until ?? endOfYesterday(clock.now()),
        adminId: null,
        by: { actor: 'terminal' },
        onProgress: (done, total) => onProgress('Period', done, total),
      },
    );
    return JSON.stringify(toRoot(period), null, 2);
  });
}

/** `periods`: what is published of every closed period, oldest first; `verify-receipt` reads it. */
export async function publishedPeriods(store: EventStore): Promise<string> {
  const periods = await new SealedPeriods(store).all();
  return JSON.stringify({ periods: periods.map(toRoot) }, null, 2);
}
