import { decodePeriod, encodePeriod, PERIODS_STREAM, type PeriodSealed } from '@app/domain';
import { type EventStore, upcast, WrongExpectedRevision } from '@app/event-store';
import { EMPTY_HEAD, type JournalHead } from '@app/ledger';
import { v7 as uuidv7 } from 'uuid';
import { APPEND_DEADLINE_MS, appendUntilKnown } from '../../platform/journal/append-until-known.js';
import { writerOf } from '../../platform/journal/stream-metadata.js';

export interface ClosedPeriod extends PeriodSealed {
  readonly actor: string;
}

/** Where the journal stands after a period; before its first event where there is none. */
export const headAfter = (period: PeriodSealed | undefined): JournalHead =>
  period ? { revision: period.lastRevision, hash: period.chainHash } : EMPTY_HEAD;

/**
 * The closed periods, in order. The stream is short (one event a period) and only ever grows: what was read is kept, and
 * what is new is read.
 */
export class SealedPeriods {
  private readonly known: ClosedPeriod[] = [];
  /** Of the last event that was read; events of others may stand between ours. */
  private revision = -1;

  constructor(private readonly store: Pick<EventStore, 'readStream' | 'append'>) {}

  async all(): Promise<readonly ClosedPeriod[]> {
    const before = this.revision;
    let last = before;
    const fresh: ClosedPeriod[] = [];
    for await (const batch of this.store.readStream(PERIODS_STREAM, { from: before + 1 })) {
      for (const { type, data, metadata, revision, isForeign } of batch) {
        last = revision;
        if (!isForeign) fresh.push({ ...decodePeriod(type, upcast(type, data)), actor: writerOf(metadata).actor });
      }
    }
    // Somebody else may have read the same meanwhile.
    if (this.revision === before) {
      this.known.push(...fresh);
      this.revision = last;
    }
    return this.known;
  }

  /** The period that an event of the journal belongs to, or undefined while none has it. */
  async ofRevision(revision: number): Promise<ClosedPeriod | undefined> {
    const periods = await this.all();
    return periods.find((period) => revision >= period.firstRevision && revision <= period.lastRevision);
  }

  async byNumber(number: number): Promise<ClosedPeriod | undefined> {
    return (await this.all())[number - 1];
  }

  /** @throws WrongExpectedRevision somebody else closed a period first @throws AppError 503 */
  async append(period: PeriodSealed, metadata: string): Promise<void> {
    const expected = this.revision < 0 ? 'none' : this.revision;
    if (period.number <= this.known.length) throw new WrongExpectedRevision(PERIODS_STREAM, expected, this.revision);
    await appendUntilKnown(this.store, {
      stream: PERIODS_STREAM,
      events: [{ id: uuidv7(), type: period.type, data: encodePeriod(period), metadata }],
      expected,
      deadline: performance.now() + APPEND_DEADLINE_MS,
    });
  }
}
