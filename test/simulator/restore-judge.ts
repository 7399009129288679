import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LedgerEvent } from '@app/domain';
import { canonical } from '../../libs/domain/src/ledger/testing/canonical.js';
import type { Load } from './loader.js';
import type { SimulatedDatabase } from './simulated-database.js';
import type { SimulatedServer } from './simulated-server.js';
import { SimulatedStore } from './simulated-store.js';
import type { World } from './world.js';

export interface RestoreEvidence {
  readonly world: World;
  readonly store: SimulatedStore;
  readonly database: SimulatedDatabase;
  readonly options: { readonly load: Load };
  readonly boot: (store: SimulatedStore) => SimulatedServer;
  /** The wall clock goes on by some minutes. */
  readonly leap: () => void;
  readonly wallMs: () => number;
}

const RUNS_MS = 5_000;

/** How a chat that was open, or not rated by both, ends where the ledger alone was restored. */
const ENDS_AS: Readonly<Record<string, string>> = {
  held: 'abandoned',
  requested: 'abandoned',
  active: 'abandoned',
  successful: 'completed',
};

/**
 * The ledger's export in an empty system gives the same state, and a server there ends what was open and nothing else.
 * @throws AssertionError
 */
export async function judgeRestored(evidence: RestoreEvidence): Promise<void> {
  const { world, store, database, boot, leap, wallMs } = evidence;
  const before = await chatsIn(database);
  const original = await store.replay();
  const restored = new SimulatedStore();
  const { text, head } = await exported(evidence);
  await database.reset(world, wallMs);
  await imported(evidence, text, restored);
  const copy = await restored.replay();
  assert.deepEqual(copy.head, original.head, 'the restored journal is another one');
  assert.equal(canonical(copy.state), canonical(original.state), 'the restored journal gives another state');
  assert.equal(head, original.events.length);

  leap();
  const server = boot(restored);
  let failure: unknown;
  server.start().catch((error: unknown) => (failure = error));
  const until = world.nowMs + RUNS_MS;
  await world.run(() => world.nowMs > until || failure !== undefined, until + RUNS_MS);
  if (failure !== undefined) throw failure;
  server.process.kill();

  const after = await chatsIn(database);
  const expected = new Map([...before].map(([id, status]) => [id, ENDS_AS[status] ?? status]));
  assert.deepEqual(after, expected, 'chats end otherwise where the ledger was restored');
  const since = (await restored.replay()).events.slice(original.events.length);
  const ended = since.filter(isEnding).map(({ chatId }) => chatId);
  const wasOpen = (id: string): boolean => ENDS_AS[before.get(id) ?? ''] === 'abandoned';
  assert.deepEqual(
    ended.filter((id) => !wasOpen(id)),
    [],
    'chats that had ended were ended again',
  );
}

type Ending = Extract<LedgerEvent, { readonly type: 'ChatPaymentRefunded' | 'ChatPaymentSettled' }>;

const isEnding = (event: LedgerEvent): event is Ending =>
  event.type === 'ChatPaymentRefunded' || event.type === 'ChatPaymentSettled';

/** By id: those that were paid for. */
async function chatsIn(database: SimulatedDatabase): Promise<Map<string, string>> {
  const rows = await database.query<{ id: string; status: string }>(
    'select chat_id as id, status from read.chats where held_at is not null order by chat_id',
  );
  return new Map(rows.map(({ id, status }) => [id, status]));
}

async function exported({
  store,
  options,
}: RestoreEvidence): Promise<{ readonly text: string; readonly head: number }> {
  const { exportJournal } = options.load(
    'apps/api/src/finance/export.ts',
  ) as typeof import('../../apps/api/src/finance/export.js');
  let text = '';
  for await (const piece of exportJournal(store.inner, 'jsonl', {})) text += piece;
  return { text, head: text.split('\n').length - 1 };
}

async function imported(
  { database, options }: RestoreEvidence,
  text: string,
  { inner }: SimulatedStore,
): Promise<void> {
  const { importJournal } = options.load(
    'apps/api/src/finance/import.ts',
  ) as typeof import('../../apps/api/src/finance/import.js');
  const folder = await mkdtemp(path.join(tmpdir(), 'nova-simulator-'));
  try {
    const file = path.join(folder, 'ledger.jsonl');
    await writeFile(file, text);
    const pool = { query: async (sql: string) => ({ rows: await database.query(sql) }) };
    await importJournal({ store: inner, pool: pool as never, path: file, takeFuture: true });
  } finally {
    await rm(folder, { recursive: true });
  }
}
