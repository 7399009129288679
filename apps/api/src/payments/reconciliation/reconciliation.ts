import {
  decodeReconciliationEvent,
  encodeReconciliationEvent,
  isFlagged,
  type ReconciliationEvent,
  reconciliationStream,
} from '@app/domain';
import { type EventStore, upcast } from '@app/event-store';
import type { Ledger, LedgerEvents } from '@app/ledger';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { ProviderMovements } from '../../finance/general-ledger/provider-movements.js';
import { lastMoment } from '../../finance/moments.js';
import { inTurn } from '../../platform/database/sole-owner.js';
import { AppError } from '../../platform/errors/app-error.js';
import { reasonOf } from '../../platform/errors/explained.js';
import { APPEND_DEADLINE_MS, appendUntilKnown } from '../../platform/journal/append-until-known.js';
import type { StreamMetadata } from '../../platform/journal/stream-metadata.js';
import type { PaymentGateway } from '../payment-gateway.js';
import { PaymentStore } from '../payment-store.js';
import { type LedgerLine, LedgerLines } from './ledger-lines.js';
import { LineJudge } from './line-judge.js';
import { type ProviderLine, toMovement, toProviderLine } from './provider-lines.js';
import { type ReconciledLine, ReconciliationLines, staysExplained } from './reconciliation-lines.js';
import { RECONCILIATION_LOCK, ReconciliationRuns, type RunWindow } from './reconciliation-runs.js';
import type { Verdict } from './verdicts.js';

const UNSETTLED_BATCH = 200;

export interface ReconciliationParts {
  readonly gateway: PaymentGateway;
  readonly store: EventStore;
  readonly events: LedgerEvents;
  readonly ledger: Pick<Ledger, 'execute'>;
  readonly pool: pg.Pool;
  readonly metadata: StreamMetadata;
  /** Undefined on a terminal: only a server keeps the read model that the dollar books need. */
  readonly dollarBooks?: { readonly movements: ProviderMovements; readonly livemode: boolean };
}

export interface RunOptions extends RunWindow {
  readonly actor: string;
  readonly signal?: AbortSignal;
  readonly onBegun?: (runId: string) => void;
  readonly onProgress?: (lines: number) => void;
}

/** A time just after every event: journal time may be ahead of this machine's (rule ledger-30). */
export async function afterEverything(events: LedgerEvents): Promise<Date> {
  const { at = 0 } = await lastMoment(events);
  return new Date(Math.max(Date.now(), at + 1));
}

/**
 * Compares the provider's balance with the journal, both ways: each movement there must be an event here or be
 * explained; each purchase and reversal here must be known there. Anything else is flagged for admins. Corrects
 * nothing: that is the settlement's job (`PurchaseSettlement`).
 */
export class Reconciliation {
  readonly lines: ReconciliationLines;
  readonly runs: ReconciliationRuns;
  private readonly judge: LineJudge;
  private readonly events: LedgerLines;

  constructor(private readonly parts: ReconciliationParts) {
    const { gateway, events, ledger, pool } = parts;
    this.lines = new ReconciliationLines(pool);
    this.runs = new ReconciliationRuns(pool);
    this.events = new LedgerLines(events, pool);
    this.judge = new LineJudge({ gateway, payments: new PaymentStore(pool), events: this.events, ledger });
  }

  /**
   * Reconciles a time range, and again what earlier runs left open. One server at a time.
   * @returns the run's id
   * @throws AppError 409 `RECONCILIATION_RUNNING`, 503 the provider does not answer or the read models are behind
   */
  async run(options: RunOptions): Promise<string> {
    let runId: string | undefined;
    await inTurn(this.parts.pool, RECONCILIATION_LOCK, async (lost) => {
      runId = await this.runs.begin(options.actor, options);
      options.onBegun?.(runId);
      try {
        await this.look(runId, options, AbortSignal.any([lost, ...(options.signal ? [options.signal] : [])]));
        await this.runs.finish(runId);
      } catch (error) {
        // Without the lock another process may reconcile by now, and this run counts as interrupted.
        if (!lost.aborted) await this.runs.fail(runId, reasonOf(error));
        throw error;
      }
    });
    if (runId !== undefined) return runId;
    throw new AppError(409, 'RECONCILIATION_RUNNING', 'A reconciliation is already running. Look again in a moment.');
  }

  /** Judges a line of the provider once more. @throws AppError 503 */
  async lookAgainAt(line: ReconciledLine, actor: string): Promise<void> {
    await this.events.caughtUp();
    await this.keep(line.runId, 'provider', line, await this.judge.ofProvider(line), actor);
  }

  private async look(runId: string, options: RunOptions, signal: AbortSignal): Promise<void> {
    const { from, until, onProgress } = options;
    let lines = 0;
    const step = (): void => {
      signal.throwIfAborted();
      lines += 1;
      onProgress?.(lines);
    };
    await this.recordMovements(options);
    await this.events.caughtUp();
    for await (const movement of this.parts.gateway.balanceTransactions(from, until)) {
      step();
      const line = toProviderLine(movement);
      await this.keep(runId, 'provider', line, await this.judge.ofProvider(line), options.actor);
    }
    for await (const event of this.events.between(from, until)) {
      step();
      await this.lookAtEvent(runId, event, options.actor);
    }
    await this.lookAgain(runId, options, step);
  }

  /** Records what the provider's balance was moved by since the last look, or since its beginning. */
  private async recordMovements({ from, until }: RunWindow): Promise<void> {
    const { dollarBooks, gateway } = this.parts;
    if (!dollarBooks) return;
    const { movements, livemode } = dollarBooks;
    if (!(await movements.takes({ livemode }))) return;
    // What is still to come is not read yet.
    const readTo = new Date(Math.min(until.getTime(), Date.now()));
    const readUntil = (await movements.readUntil()) ?? new Date(0);
    const told = gateway.balanceTransactions(readUntil < from ? readUntil : from, readTo);
    await movements.record(
      mapped(told, (movement) => toMovement(movement, livemode)),
      readTo,
    );
  }

  private async lookAtEvent(runId: string, ledgerLine: LedgerLine, actor: string): Promise<void> {
    const line = toLine(ledgerLine);
    const atProvider = await this.lines.eventsAtProvider(providerSide(ledgerLine));
    const isThere =
      atProvider.includes(ledgerLine.id) || (atProvider.length > 0 && (await this.judge.counts(ledgerLine)));
    if (isThere) return this.settle(line.subject, actor);
    await this.keep(runId, 'ledger', line, await this.judge.ofLedger(ledgerLine), actor);
  }

  /** Checks again the lines of any day that were flagged or in transit. */
  private async lookAgain(runId: string, { actor }: RunOptions, step: () => void): Promise<void> {
    let after = '';
    for (;;) {
      const open = await this.lines.unsettledBefore(runId, after, UNSETTLED_BATCH);
      for (const line of open) {
        step();
        if (line.side === 'provider') {
          await this.keep(runId, 'provider', line, await this.judge.ofProvider(line), actor);
        } else {
          const event = await this.events.byId(line.subject);
          if (event) await this.lookAtEvent(runId, event, actor);
        }
      }
      if (open.length < UNSETTLED_BATCH) return;
      after = open.at(-1)?.subject ?? '';
    }
  }

  /** Writes the event of a new difference before its row. */
  private async keep(
    runId: string,
    side: ReconciledLine['side'],
    line: ProviderLine,
    verdict: Verdict,
    actor: string,
  ): Promise<void> {
    const before = await this.lines.find(line.subject);
    const { subject: subjectId, cents } = line;
    const isUnexplained = verdict.status === 'flagged' && !staysExplained(before, verdict);
    const isOver =
      wasDifference(before) && (verdict.status !== 'flagged' || (isUnexplained && before?.code === 'BY_ADMIN'));
    if (isOver) await this.recordSettled(subjectId, actor);
    if (isUnexplained) {
      const flag = { type: 'DifferenceFlagged', subjectId, code: verdict.code ?? '', cents, at: Date.now() } as const;
      await recordDifference(this.parts.store, flag, this.parts.metadata.of({ actor }));
    }
    await this.lines.save(runId, side, line, verdict);
  }

  /** The provider's side of our event has arrived: its line now stands for both. */
  private async settle(subject: string, actor: string): Promise<void> {
    const before = await this.lines.find(subject);
    if (!before) return;
    if (wasDifference(before)) await this.recordSettled(subject, actor);
    await this.lines.remove(subject);
  }

  private recordSettled(subjectId: string, actor: string): Promise<void> {
    const settled = { type: 'DifferenceSettled', subjectId, at: Date.now() } as const;
    return recordDifference(this.parts.store, settled, this.parts.metadata.of({ actor }));
  }
}

async function* mapped<A, B>(items: AsyncIterable<A>, to: (item: A) => B): AsyncGenerator<B> {
  for await (const item of items) yield to(item);
}

const wasDifference = (line: ReconciledLine | undefined): boolean =>
  line?.status === 'flagged' || line?.code === 'BY_ADMIN';

const providerSide = ({ event }: LedgerLine) =>
  event.type === 'NovaPurchased' ? { paymentIntentId: event.paymentIntentId } : { providerId: event.reversalId };

/** An event in the form of the provider's lines, under its own id. Only the provider knows the cents of a reversal. */
function toLine({ id, event }: LedgerLine): ProviderLine {
  const isPurchase = event.type === 'NovaPurchased';
  return {
    subject: id,
    kind: isPurchase ? 'payment' : event.reason,
    providerId: isPurchase ? null : event.reversalId,
    paymentIntentId: event.paymentIntentId,
    cents: isPurchase ? event.chargedCents : 0,
    feeCents: 0,
    at: new Date(event.at),
  };
}

/** Records that a difference was found or settled, unless the last event already says so. */
async function recordDifference(store: EventStore, event: ReconciliationEvent, metadata: string): Promise<void> {
  const stream = reconciliationStream(event.subjectId);
  let [flagged, revision] = [false, -1];
  for await (const batch of store.readStream(stream)) {
    for (const { type, data, isForeign } of batch) {
      if (!isForeign) flagged = isFlagged(flagged, decodeReconciliationEvent(type, upcast(type, data)));
      revision += 1;
    }
  }
  if (flagged === (event.type === 'DifferenceFlagged')) return;
  await appendUntilKnown(store, {
    stream,
    events: [{ id: uuidv7(), type: event.type, data: encodeReconciliationEvent(event), metadata }],
    expected: revision < 0 ? 'none' : revision,
    deadline: performance.now() + APPEND_DEADLINE_MS,
  });
}
