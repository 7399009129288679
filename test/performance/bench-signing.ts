import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { type EventStore, PostgresEventStore } from '@app/event-store';
import { JournalSigner, type JournalTrust, type LedgerWriter, SignedStore, ThreadedJournal } from '@app/ledger';
import { projectionMigrations, ProjectionRunner, readModels, rebuildReadModels } from '@app/projections';
import pg from 'pg';
import { callsPerSecond, fund, memberIds, openWriter, pairsOf, sendGift, type Pair } from './gifts.js';
import { type Figure, percentile } from './report.js';
import type { Surroundings } from './surroundings.js';

const MEMBER_IDS = memberIds(10_000);
const ROUNDS = 7;
const JOURNAL_BYTES = 16;
const HISTORY = 300_000;
const CALLERS = 1_500;
const OTHERS = 5_000;
const READ_MODEL_MS_MAX = 5 * 60_000;
const ENTRIES = readModels.filter(({ name }) => name === 'ledger_entries');
const STREAM = 'thread-of-a-measurement';
const METADATA = '{"nova":2,"$correlationId":"7f0c3a52-7d4e-4a0b-9a3e-0d1f5f4c2b11","actor":"process"}';
const JOURNAL_WORKER = new URL('../../apps/api/src/platform/ledger/journal-worker.js', import.meta.url);

/** Enough callers to fill every batch, where signing may cost 3 %, and few callers. */
const CASES: readonly { callers: number; goal?: Figure['goal'] }[] = [
  { callers: 1_500, goal: { at: '>=', value: 0.97 } },
  { callers: 64 },
];

/** Measures durable gifts per second of a journal with signed appends and of one without, in turns. */
export async function benchSigning(surroundings: Surroundings, seconds: number): Promise<Figure[]> {
  const pair = pairsOf(MEMBER_IDS);
  const both = await openBoth(surroundings);
  const figures: Figure[] = [];
  for (const { callers, goal } of CASES) {
    const rates = await inTurns(both, (books) => rateOf(books, callers, seconds, pair));
    figures.push(...comparison(`signed gifts, ${callers} callers`, '/s', rates, goal));
  }
  await closeBoth(both);
  return figures;
}

/**
 * Measures reads of a signed journal and of an unsigned one, in turns: at a start, for a read model, of other streams.
 */
export async function benchSignedReading(surroundings: Surroundings): Promise<Figure[]> {
  const pair = pairsOf(MEMBER_IDS);
  const both = await openBoth(surroundings);
  for (const books of [both.plain, both.signed]) await books.fill(pair);
  const figures: Figure[] = [];
  for (const [what, rateOnce] of Object.entries(READINGS)) {
    figures.push(...comparison(what, 'events/s', await inTurns(both, rateOnce)));
  }
  await closeBoth(both);
  return figures;
}

interface Both<T> {
  readonly plain: T;
  readonly signed: T;
}

async function openBoth(surroundings: Surroundings): Promise<Both<Books>> {
  const plain = await Books.open(await surroundings.database(), MEMBER_IDS);
  const signed = await Books.open(await surroundings.database(), MEMBER_IDS, new JournalSigner(newKey()));
  return { plain, signed };
}

const closeBoth = ({ plain, signed }: Both<Books>): Promise<unknown> => Promise.all([plain.close(), signed.close()]);

/** The rates of all rounds, after one round of each that does not count. */
async function inTurns({ plain, signed }: Both<Books>, rateOnce: (books: Books) => Promise<number>) {
  const rates = { plain: [] as number[], signed: [] as number[] };
  for (const books of [plain, signed]) await rateOnce(books);
  for (let round = 0; round < ROUNDS; round++) {
    for (const books of round % 2 === 0 ? [plain, signed] : [signed, plain]) {
      (books === plain ? rates.plain : rates.signed).push(await rateOnce(books));
    }
  }
  return rates;
}

function comparison(group: string, unit: string, { plain, signed }: Both<number[]>, goal?: Figure['goal']): Figure[] {
  const ratios = signed.map((rate, round) => rate / (plain[round] ?? NaN));
  return [
    { group, name: 'unsigned, median', value: percentile(plain, 50), unit },
    { group, name: 'signed, median', value: percentile(signed, 50), unit },
    { group, name: 'signed ÷ unsigned, least', value: Math.min(...ratios), unit: '×' },
    { group, name: 'signed ÷ unsigned, median', value: percentile(ratios, 50), unit: '×', ...(goal && { goal }) },
    { group, name: 'signed ÷ unsigned, most', value: Math.max(...ratios), unit: '×' },
  ];
}

const READINGS: Readonly<Record<string, (books: Books) => Promise<number>>> = {
  'start of a signed journal': (books) => books.startRate(),
  'rebuild of entries from a signed journal': (books) => books.rebuildRate(),
  'other streams, each append of one event': (books) => books.othersRate(),
};

const newKey = () => generateKeyPairSync('ed25519').privateKey;

const rateOf = ({ writer }: Books, callers: number, seconds: number, pair: Pair): Promise<number> =>
  callsPerSecond(callers, seconds, () => sendGift(writer, pair));

class Books {
  private constructor(
    readonly writer: LedgerWriter,
    private readonly store: PostgresEventStore,
    private readonly url: string,
    private readonly signing: { readonly signer: JournalSigner; readonly trust: JournalTrust } | undefined,
  ) {}

  static async open(url: string, ids: readonly string[], signer?: JournalSigner): Promise<Books> {
    const store = await PostgresEventStore.open({ connectionString: url });
    const writer = await openWriter(store, { envelope: 2, ...(signer && { signerFor: () => signer }) });
    let trust: JournalTrust = [];
    if (signer) {
      const journal = randomBytes(JOURNAL_BYTES).toString('hex');
      const { publicKey } = signer;
      await writer.execute({
        command: { type: 'BeginSigning', journal, publicKey, streams: 'all' },
        actor: 'terminal',
      });
      trust = [{ journal, publicKey, from: writer.revision }];
    }
    await fund(writer, ids);
    return new Books(writer, store, url, signer && { signer, trust });
  }

  /** A history to be read, in the ledger and in other streams. */
  async fill(pair: Pair): Promise<void> {
    const pool = new pg.Pool({ connectionString: this.url, max: 1 });
    for (const { sql } of projectionMigrations) await pool.query(sql);
    await pool.end();
    while (this.writer.revision < HISTORY) await callsPerSecond(CALLERS, 1, () => sendGift(this.writer, pair));
    const store = this.ours();
    // The rebuilt read model is compared with the live one.
    const runner = new ProjectionRunner({ store, connectionString: this.url, models: ENTRIES });
    await runner.start();
    await runner.waitFor(['ledger_entries'], this.writer.revision, READ_MODEL_MS_MAX);
    await runner.stop();
    for (let revision = -1; revision < OTHERS - 1; revision++) {
      const event = { id: randomUUID(), type: 'Measured', data: '{}', metadata: METADATA };
      await store.append(STREAM, [event], revision < 0 ? 'none' : revision);
    }
  }

  async startRate(): Promise<number> {
    const { store, signing } = this;
    const address = { databaseUrl: this.url, eventStoreUrl: undefined };
    const trust = signing?.trust;
    const journal = new ThreadedJournal(store, address, JOURNAL_WORKER, { trust });
    const began = performance.now();
    const writer = await openWriter(store, {
      journal,
      trust,
      envelope: 2,
      ...(signing && { signerFor: () => signing.signer }),
    });
    const rate = perSecond(writer.revision + 1, began);
    await writer.stop();
    return rate;
  }

  async rebuildRate(): Promise<number> {
    const began = performance.now();
    await rebuildReadModels({ store: this.ours(), connectionString: this.url, models: ENTRIES });
    return perSecond(this.writer.revision + 1, began);
  }

  async othersRate(): Promise<number> {
    const began = performance.now();
    let events = 0;
    for await (const batch of this.ours().readStream(STREAM)) events += batch.length;
    if (events !== OTHERS) throw new Error(`${events} of ${OTHERS} events were told`);
    return perSecond(events, began);
  }

  async close(): Promise<void> {
    await this.writer.stop();
    await this.store.close();
  }

  /** The store of a process that has checked no event yet. */
  private ours(): EventStore {
    const { store, signing } = this;
    return signing ? new SignedStore(store, { trust: signing.trust, signerFor: () => signing.signer }) : store;
  }
}

const perSecond = (events: number, began: number): number => (events * 1_000) / (performance.now() - began);
