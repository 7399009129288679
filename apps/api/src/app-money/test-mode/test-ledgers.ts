import { TEST_EVENTS_MAX, type TestData, testStreamOf } from '@app/domain';
import type { EventStore } from '@app/event-store';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { TestClients } from '../../oauth/test-mode/test-clients.js';
import { testDeveloperId, testMembersOf } from '../../oauth/test-mode/test-members.js';
import { EVENT_STORE } from '../../platform/journal/injected-journal.js';
import { StreamMetadata } from '../../platform/journal/stream-metadata.js';
import { OPEN_LEDGER } from '../../platform/ledger/injected-ledger.js';
import type { OpenLedger } from '../../platform/ledger/open-ledger.js';
import { TestBook, type TestParties } from './test-book.js';
import { TestMoney } from './test-money.js';

/** How many test ledgers a server holds in memory, and how long one that nobody uses. */
const OPEN_MAX = 50;
const IDLE_MS = 60_000;

/**
 * The test ledgers that are in use. Each is opened when its application first calls, by every server that it calls: the
 * expected revision of an append keeps servers apart, as in the journal. None is opened at the start.
 */
@Injectable()
export class TestLedgers implements OnModuleDestroy {
  /** The most events of each: what tests of the limit lower. */
  eventsMax = TEST_EVENTS_MAX;
  private readonly books = new LRUCache<string, Promise<TestBook>>({
    max: OPEN_MAX,
    ttl: IDLE_MS,
    updateAgeOnGet: true,
    ttlAutopurge: true,
    dispose: (book) => void close(book),
  });

  constructor(
    private readonly clients: TestClients,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly metadata: StreamMetadata,
    @Inject(OPEN_LEDGER) private readonly ledger: OpenLedger,
  ) {}

  /** Of a test client, by its id. */
  async moneyOf(clientId: string): Promise<TestMoney> {
    const parties = partiesOf(clientId, await this.clients.generation(clientId));
    const book = await this.bookOf(parties);
    return new TestMoney(book, parties, (memberIds) => this.clients.spendersOf(clientId, memberIds));
  }

  /** How many events a test client's ledger has: none before its first call. */
  async count(data: TestData): Promise<number> {
    return ((await this.store.head(testStreamOf(data)))?.revision ?? -1) + 1;
  }

  async onModuleDestroy(): Promise<void> {
    const open = [...this.books.values()];
    this.books.clear();
    await Promise.all(open.map(close));
  }

  private bookOf(parties: TestParties): Promise<TestBook> {
    const name = `${parties.clientId} ${parties.generation}`;
    const known = this.books.get(name);
    if (known) return known;
    const forget = (): void => void this.books.delete(name);
    const { store, eventsMax, ledger, metadata } = this;
    const opening = TestBook.open({
      store,
      clock: ledger.clock,
      envelope: metadata.version,
      parties,
      eventsMax,
      onBroken: forget,
    });
    this.books.set(name, opening);
    opening.catch(forget);
    return opening;
  }
}

const partiesOf = (clientId: string, generation: number): TestParties => ({
  clientId,
  generation,
  developerId: testDeveloperId(clientId, generation),
  memberIds: testMembersOf(clientId, generation).map(({ id }) => id),
});

/** Finishes what is under way there. */
const close = (book: Promise<TestBook>): Promise<void> =>
  book.then(
    (opened) => opened.close(),
    () => undefined,
  );
