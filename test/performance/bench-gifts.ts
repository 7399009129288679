import { PostgresEventStore } from '@app/event-store';
import {
  callsPerSecond,
  freshKey,
  fund,
  hotPairsOf,
  memberIds,
  openWriter,
  pairsOf,
  sendGift,
  type Pair,
} from './gifts.js';
import type { Figure } from './report.js';
import { SqlLedger } from './sql-ledger.js';
import type { Surroundings } from './surroundings.js';

/** So many callers that every batch is full; each caller waits until its own gift is durable. */
const CALLERS = 1_500;
const SQL_CONNECTIONS = 32;

const CASES: readonly { name: string; members: number; pairs: (members: readonly string[]) => Pair }[] = [
  { name: '10,000 accounts', members: 10_000, pairs: pairsOf },
  { name: '50 accounts', members: 50, pairs: pairsOf },
  { name: 'one hot sender', members: 10_000, pairs: hotPairsOf },
];

/** Measures durable gifts per second in this process, and the same gifts by row locks in the same Postgres. */
export async function benchGifts(surroundings: Surroundings, seconds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  let spread = 0;
  for (const { name, members, pairs } of CASES) {
    const ids = memberIds(members);
    const ours = await ledgerRate(await surroundings.database(), ids, pairs(ids), seconds);
    const theirs = await sqlRate(await surroundings.database(), ids, pairs(ids), seconds);
    spread ||= ours;
    figures.push(
      { group: 'durable gifts in process', name, value: ours, unit: '/s', goal: { at: '>=', value: 30_000 } },
      { group: 'row-locking SQL ledger', name, value: theirs, unit: '/s' },
      { group: 'ledger ÷ SQL ledger', name, value: ours / theirs, unit: '×' },
    );
    if (ours !== spread) figures.push({ group: 'against 10,000 accounts', name, value: ours / spread, unit: '×' });
  }
  return figures;
}

async function ledgerRate(url: string, ids: readonly string[], pair: Pair, seconds: number): Promise<number> {
  const store = await PostgresEventStore.open({ connectionString: url });
  const writer = await openWriter(store);
  await fund(writer, ids);
  await callsPerSecond(CALLERS, Math.min(2, seconds), () => sendGift(writer, pair));
  const rate = await callsPerSecond(CALLERS, seconds, () => sendGift(writer, pair));
  await writer.stop();
  await store.close();
  return rate;
}

async function sqlRate(url: string, ids: readonly string[], pair: Pair, seconds: number): Promise<number> {
  const ledger = new SqlLedger(url, SQL_CONNECTIONS);
  await ledger.prepare(ids);
  const rate = await callsPerSecond(SQL_CONNECTIONS, seconds, () => ledger.sendGift(pair, freshKey()));
  await ledger.close();
  return rate;
}
