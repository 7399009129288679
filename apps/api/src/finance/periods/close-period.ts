import { randomBytes } from 'node:crypto';
import { NO_SEAL, type PeriodSealed, PeriodTotals } from '@app/domain';
import { type EventStore, WrongExpectedRevision } from '@app/event-store';
import {
  type JournalClock,
  journalEventOf,
  type Ledger,
  type LedgerEvents,
  PeriodTree,
  sealOf,
  totalsHashOf,
} from '@app/ledger';
import { AppError } from '../../platform/errors/app-error.js';
import { expectAccepted } from '../../platform/errors/rejections.js';
import type { By, StreamMetadata } from '../../platform/journal/stream-metadata.js';
import { walkJournal } from '../journal-walk.js';
import { lastRevisionAt } from './journal-moment.js';
import type { PeriodBlocks } from './period-blocks.js';
import { type ClosedPeriod, headAfter, type SealedPeriods } from './sealed-periods.js';

export interface PeriodBooks {
  readonly store: EventStore;
  readonly events: LedgerEvents;
  readonly ledger: Pick<Ledger, 'execute'>;
  readonly clock: JournalClock;
  readonly periods: SealedPeriods;
  readonly blocks: PeriodBlocks;
  readonly metadata: StreamMetadata;
}

export interface CloseOptions {
  /** The last moment of the period, in milliseconds since 1970. */
  readonly endsAt: number;
  readonly adminId: string | null;
  readonly by: By;
  readonly onProgress?: (done: number, total: number) => void;
}

/** So many events in a row may be nothing but ends of periods whose seals a crash prevented. */
const MARKERS_MAX = 16;

/**
 * Closes the books up to a moment (`docs/receipts.md`). First the journal itself passes the moment, by an event dated after
 * it where there is none yet, so that nothing can be dated into the period any more, by whichever server and with whatever
 * clock; then the period is read, and sealed. Interrupted anywhere and called again, it ends the same way.
 * @throws AppError 409 `PERIOD_NOT_OVER`, `PERIOD_CLOSED` or `PERIOD_EMPTY`, 503
 * @throws BrokenChain the journal is not what its hashes say: nothing is sealed
 */
export async function closePeriod(books: PeriodBooks, options: CloseOptions): Promise<ClosedPeriod> {
  const { events, periods } = books;
  const { endsAt } = options;
  const before = await periods.all();
  const same = before.find((period) => period.endsAt === endsAt);
  if (same) return same;
  const previous = before.at(-1);
  if (previous && endsAt < previous.endsAt) throw closedAlready(previous);
  if (endsAt >= books.clock.now()) {
    throw new AppError(409, 'PERIOD_NOT_OVER', 'This period is not over yet. Choose an end that has passed.');
  }
  const firstRevision = (previous?.lastRevision ?? -1) + 1;
  if (await isEmpty(events, firstRevision, await lastRevisionAt(events, endsAt))) {
    const end = new Date(endsAt).toISOString();
    throw new AppError(409, 'PERIOD_EMPTY', `Up to ${end} everything is closed already.`);
  }
  await passMoment(books, options);
  const lastRevision = await lastRevisionAt(events, endsAt);
  const { period, blocks } = await seal(books, options, previous, lastRevision);
  try {
    await periods.append(period, books.metadata.of(options.by));
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision)) throw error;
    const winner = await periods.byNumber(period.number);
    if (!winner)
      throw new AppError(503, 'BUSY', 'Somebody else is closing a period. Try again.', {
        retryAfterSeconds: 1,
        cause: error,
      });
    return closePeriod(books, options);
  }
  await books.blocks.save(period, blocks);
  return { ...period, actor: options.by.actor };
}

/** Once the journal has an event after the moment, every later one is after it too. */
async function passMoment({ events, ledger }: PeriodBooks, { endsAt, by }: CloseOptions): Promise<void> {
  const following = (await lastRevisionAt(events, endsAt)) + 1;
  // While that was looked up, events may still have been dated up to the moment.
  const next = await events.at(following);
  if (next && journalEventOf(next).event.at > endsAt) return;
  const outcome = await ledger.execute({
    command: { type: 'ClosePeriod', endsAt },
    actor: by.actor,
    correlationId: by.correlationId,
    key: { scope: 'fact', value: `period:${endsAt}` },
  });
  expectAccepted(outcome);
}

async function isEmpty(events: LedgerEvents, first: number, last: number): Promise<boolean> {
  if (last - first >= MARKERS_MAX) return false;
  if (last < first) return true;
  return (await events.read(first, last - first + 1)).every(({ type }) => type === 'PeriodClosed');
}

async function seal(
  { store, clock }: PeriodBooks,
  { endsAt, adminId, onProgress }: CloseOptions,
  previous: PeriodSealed | undefined,
  lastRevision: number,
): Promise<{ readonly period: PeriodSealed; readonly blocks: readonly string[] }> {
  const blinding = randomBytes(32).toString('hex');
  const tree = new PeriodTree(blinding);
  const totals = new PeriodTotals(previous?.totals);
  const from = headAfter(previous);
  let head = from;
  for await (const walked of walkJournal(store, { after: from, upTo: lastRevision })) {
    head = walked.head;
    tree.add({ revision: head.revision, event: walked.event, chainHash: head.hash });
    totals.add(walked.event.entries);
    onProgress?.(head.revision - from.revision, lastRevision - from.revision);
  }
  const facts = {
    number: (previous?.number ?? 0) + 1,
    endsAt,
    firstRevision: from.revision + 1,
    lastRevision: head.revision,
    chainHash: head.hash,
    root: tree.root,
    totalsHash: totalsHashOf(totals.toText()),
    previousSeal: previous?.seal ?? NO_SEAL,
  };
  const period: PeriodSealed = {
    type: 'PeriodSealed',
    ...facts,
    blinding,
    totals: totals.toText(),
    seal: sealOf(facts),
    at: clock.now(),
    adminId,
  };
  return { period, blocks: tree.blocks };
}

const closedAlready = ({ number, endsAt }: PeriodSealed): AppError =>
  new AppError(
    409,
    'PERIOD_CLOSED',
    `The books are closed up to ${new Date(endsAt).toISOString()} (period ${number}). Choose a later end.`,
  );
