import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BOOKS_STREAM, type BooksEvent, DAY_MS, encodeBooksEvent, Money, writeLines } from '@app/domain';
import type { EventStore } from '@app/event-store';
import { StoredLedger } from '@app/ledger';
import { seededRandom } from '../../../../../../libs/projections/src/testing/random-commands.js';
import { type ExportFormat, exportJournal, type ExportOptions } from '../../export.js';
import { walkJournal } from '../../journal-walk.js';
import { momentBefore } from '../../moments.js';

/** Of the month that the books of a random history close. */
export const MONTH_END = Date.UTC(2026, 1, 15);
export async function exported(store: EventStore, format: ExportFormat, options: ExportOptions = {}): Promise<string> {
  let text = '';
  for await (const piece of exportJournal(store, format, options)) text += piece;
  return text;
}

/** From one moment to before another. */
export async function periodOf(store: EventStore, from: number, until: number): Promise<ExportOptions> {
  const ledger = new StoredLedger(store);
  const after = await momentBefore(ledger, new Date(from));
  const { revision: upTo } = await momentBefore(ledger, new Date(until));
  return { after, upTo, from, until };
}

export const record = (store: EventStore, event: BooksEvent) =>
  store.append(
    BOOKS_STREAM,
    [{ id: randomUUID(), type: event.type, data: encodeBooksEvent(event), metadata: '{}' }],
    'any',
  );

export type Movement = Partial<Extract<BooksEvent, { type: 'ProviderMoved' }>> & { readonly movementId: string };

export const moved = (at: number, movement: Movement): BooksEvent => ({
  type: 'ProviderMoved',
  kind: 'payment',
  currency: 'usd',
  amount: 0,
  fee: 0,
  providerId: null,
  paymentIntentId: null,
  livemode: false,
  createdAt: at,
  arrivesAt: null,
  postedAt: at,
  at,
  ...movement,
});

/** The provider's side of a journal, and what people add to it. */
export async function recordProvider(store: EventStore, text: string): Promise<void> {
  const lines = writeLines([
    { account: 'assets:provider:clearing', subject: 'pi_0', cents: 700n },
    { account: 'liabilities:unapplied', subject: 'pi_0', cents: -700n },
  ]);
  const close = { number: 1, timeZone: 'UTC', ledgerRevision: 0, chainHash: '', trialBalance: '', lines };
  await record(store, { type: 'BooksPeriodClosed', ...close, endsAt: MONTH_END - 1, adminId: 'admin', at: MONTH_END });
  const random = seededRandom(7);
  const below = (limit: number): number => Math.floor(random() * limit);
  let count = 0;
  for await (const { event } of walkJournal(store, {})) {
    const movementId = `txn_${count++}`;
    const at = event.at + below(3) * DAY_MS;
    if (event.type === 'NovaPurchased' && below(10) > 0) {
      const payment = {
        movementId,
        amount: event.chargedCents,
        fee: below(70),
        paymentIntentId: event.paymentIntentId,
      };
      await record(store, moved(at, payment));
      if (below(5) === 0) await record(store, moved(at + DAY_MS, payment));
    } else if (event.type === 'PurchaseReversed' && below(10) > 0) {
      const paymentIntentId = event.paymentIntentId;
      await record(store, moved(at, { movementId, kind: 'refund', amount: -below(900), paymentIntentId }));
    } else await recordOther(store, { at, movementId, random, text });
  }
}

/** Now and then what no purchase is the reason of. */
async function recordOther(
  store: EventStore,
  { at, movementId, random, text }: { at: number; movementId: string; random: () => number; text: string },
): Promise<void> {
  const below = (limit: number): number => Math.floor(random() * limit);
  switch (below(60)) {
    case 0: {
      const arrivesAt = at + below(3) * DAY_MS;
      await record(store, moved(at, { movementId, kind: 'payout', amount: -below(9_000), arrivesAt }));
      break;
    }
    case 1: {
      const dispute = { kind: 'dispute', amount: -500, fee: 1_500, providerId: text } as const;
      const createdAt = at - 40 * DAY_MS;
      await record(store, moved(at, { movementId: `${movementId}) ${text}`, ...dispute, createdAt }));
      break;
    }
    case 2:
      await record(store, moved(at, { movementId, currency: 'eur', amount: 7 }));
      break;
    case 3: {
      const lines = writeLines([
        { account: 'expenses:losses:differences', subject: '', cents: 5n },
        { account: 'assets:provider:clearing', subject: movementId, cents: -5n },
      ]);
      const decided = { lines, postedAt: at, adminId: 'admin', reasonId: text, at };
      await record(store, { type: 'AdjustmentPosted', adjustmentId: movementId, ...decided });
      await record(store, { type: 'ProviderRead', until: at, at });
    }
  }
}

export type Cents = Map<string, bigint>;

/** A report of hledger by account, in cents. */
export function hledgerReport(kind: 'bs' | 'is', file: string, commodity: string): Cents {
  const csv = execFileSync('hledger', [kind, '-f', file, '--flat', '-O', 'csv'], { encoding: 'utf8' });
  const shown: Cents = new Map();
  for (const [, account = '', amount = '', unit] of csv.matchAll(/^"([a-z][a-z:-]+:[a-z:-]+)","(\S+) ([A-Z]+)"$/gm)) {
    if (unit !== commodity) throw new Error(`${account} is in ${unit}`);
    shown.set(account, Money.parse(amount).minor);
  }
  return shown;
}

export function withFile<T>(text: string, use: (file: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'nova-export-'));
  try {
    const file = path.join(folder, 'nova.journal');
    writeFileSync(file, text);
    return use(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** As a machine without the program would: a spec that needs it says that it is skipped. */
export function requires(program: string): typeof it.skip {
  if (spawnSync(program, ['--version']).status === 0) return it;
  console.warn(`SKIPPED: ${program} is not installed, so exports with dollars were not checked with it`);
  return it.skip;
}
