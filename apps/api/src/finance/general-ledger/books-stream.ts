import { Inject, Injectable } from '@nestjs/common';
import { BOOKS_STREAM, type BooksEvent, encodeBooksEvent } from '@app/domain';
import { type EventStore, type RecordedEvent, WrongExpectedRevision } from '@app/event-store';
import { VerifiedLedger } from '@app/ledger';
import { GeneralLedgerQueries, Projections } from '@app/projections';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { InjectPool } from '../../platform/database/database.module.js';
import { AppError } from '../../platform/errors/app-error.js';
import { APPEND_DEADLINE_MS, appendUntilKnown } from '../../platform/journal/append-until-known.js';
import { EVENT_STORE } from '../../platform/journal/injected-journal.js';
import { type By, StreamMetadata } from '../../platform/journal/stream-metadata.js';

const MODELS = ['general_ledger'];
/** How long a request waits for the read model. */
const WAIT_MS = 10_000;
/** The reconciliation of one server and admins' closes may meet. */
const CONFLICTS_MAX = 10;

/** Decides what to add. It may be asked again when somebody else was first. */
export type DecideBooks = (books: GeneralLedgerQueries) => Promise<readonly BooksEvent[]>;

/**
 * Writes stream `books`. It is too long to be read before each change: a decision asks the read model, once that has
 * everything that the stream has, and the append fails if the stream has more by then.
 */
@Injectable()
export class BooksStream {
  private readonly books: GeneralLedgerQueries;

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly ledger: VerifiedLedger,
    private readonly runner: Projections,
    private readonly metadata: StreamMetadata,
    @InjectPool() pool: Pool,
  ) {
    this.books = new GeneralLedgerQueries(pool);
  }

  /** Returns once the read model has what was written, or a while later. @throws AppError 503, and what the decision throws */
  async append(decide: DecideBooks, by: By, { waitMs = WAIT_MS } = {}): Promise<readonly BooksEvent[]> {
    const deadline = performance.now() + APPEND_DEADLINE_MS + waitMs;
    for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts++) {
      const revision = await this.caughtUp(waitMs);
      const decided = await decide(this.books);
      if (decided.length === 0) return decided;
      const metadata = this.metadata.of(by);
      const events = decided.map((event) => ({
        id: uuidv7(),
        type: event.type,
        data: encodeBooksEvent(event),
        metadata,
      }));
      try {
        const expected = revision < 0 ? 'none' : revision;
        await appendUntilKnown(this.store, { stream: BOOKS_STREAM, events, expected, deadline });
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
        continue;
      }
      // It is written, whether or not reports show it yet.
      await this.waitFor(await this.store.head(BOOKS_STREAM), waitMs);
      return decided;
    }
    throw new AppError(503, 'BUSY', 'Too much at once. Nothing was done; please try again.', { retryAfterSeconds: 1 });
  }

  /** The read model, once it has all of the stream. @throws AppError 503 */
  async current({ waitMs = WAIT_MS } = {}): Promise<GeneralLedgerQueries> {
    await this.caughtUp(waitMs);
    return this.books;
  }

  /**
   * Waits until the read model has all of the stream and of the ledger. @returns the stream's last revision, −1 before
   * the first
   */
  private async caughtUp(waitMs: number): Promise<number> {
    const [head, ledger] = await Promise.all([this.store.head(BOOKS_STREAM), this.ledger.head()]);
    if ((await this.waitFor(head, waitMs)) && (await this.waitFor(ledger, waitMs))) return head?.revision ?? -1;
    throw new AppError(503, 'BOOKS_BEHIND', 'The dollar books are not up to date yet. Try again in a moment.', {
      retryAfterSeconds: 5,
    });
  }

  private async waitFor(head: RecordedEvent | undefined, waitMs: number): Promise<boolean> {
    if (!head) return true;
    return (await this.runner.waitForPosition(MODELS, head.position, waitMs)).projected;
  }
}
