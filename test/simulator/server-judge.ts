import assert from 'node:assert/strict';
import { CHAT_STREAM_PREFIX, chatStream, type LedgerEvent, MINOR_UNITS } from '@app/domain';
import { judgeBooks } from './judge.js';
import { REBUILT } from './simulated-database.js';
import { returned, type SimulatedProvider } from './simulated-provider.js';
import type { SimulatedServer } from './simulated-server.js';
import type { SimulatedStore } from './simulated-store.js';
import type { World } from './world.js';

export interface ServerEvidence {
  readonly world: World;
  readonly store: SimulatedStore;
  readonly servers: readonly SimulatedServer[];
  readonly provider: SimulatedProvider;
  /** When members were told that an account is deleted, in simulated time. */
  readonly deletedAtMs: ReadonlyMap<string, number>;
}

const WORK_MS_MAX = 120_000;

/** @throws AssertionError */
export async function judgeServers(evidence: ServerEvidence): Promise<void> {
  const events = await judgeBooks(evidence);
  judgePayments(evidence, events);
  judgeDisputes(evidence, events);
  await judgeChats(evidence, events);
  await judgeReconciliation(evidence);
  await judgeReadModels(evidence);
}

/** The product's own comparison with the provider's books finds each movement there, and explains it. */
async function judgeReconciliation({ world, servers, provider }: ServerEvidence): Promise<void> {
  const [server] = servers;
  assert.ok(server);
  const { reconciling } = server.parts;
  const lines = await inWorld(world, async () => {
    const { until } = await reconciling.windowOf({});
    const run = await inItsTurn(world, () => reconciling.begin('judge', { from: new Date(0), until }));
    assert.equal(run?.error ?? null, null);
    assert.ok(run?.finishedAt, 'a reconciliation does not end');
    const { rows } = await server.pool.query<{ subject: string; side: string; status: string; code: string | null }>(
      'select subject, side, status, code from reconciliation_line order by subject',
    );
    return rows;
  });
  const odd = lines.filter(
    ({ status, code, side }) => status === 'flagged' || code === 'IN_TRANSIT' || side === 'ledger',
  );
  assert.deepEqual(odd, [], 'the reconciliation finds differences');
  const subjects = lines.map(({ subject }) => subject).toSorted();
  assert.deepEqual(subjects, provider.movements.map(({ id }) => id).toSorted(), 'other movements than the provider’s');
}

/** The daily run may be under way on the other server. */
async function inItsTurn<T>(world: World, begin: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await begin();
    } catch (error) {
      if ((error as { readonly code?: string }).code !== 'RECONCILIATION_RUNNING') throw error;
      await world.sleep(1_000);
    }
  }
}

/** Every read model holds what the journal gives once more. */
async function judgeReadModels({ world, servers, store }: ServerEvidence): Promise<void> {
  const [server] = servers;
  assert.ok(server);
  const { process, link, pg, models } = server;
  const { compareDigests, differenceOf, digestLive, digestTables } = process.load(
    'libs/projections/src/rebuild/digest.ts',
  ) as typeof import('../../libs/projections/src/rebuild/digest.js');
  const { fill } = process.load(
    'libs/projections/src/rebuild/fill.ts',
  ) as typeof import('../../libs/projections/src/rebuild/fill.js');
  type Target = Parameters<typeof fill>[0]['targets'][number];

  const rebuilt = async (): Promise<string[]> => {
    const live = await digestLive('', models);
    const targets: Target[] = [];
    for (const model of models) {
      const client = new pg.Client();
      await client.query(`set search_path = ${REBUILT}`);
      const applier = model.createApplier({ startsEmpty: true });
      const replica = { model, client, applier, schema: REBUILT, position: -1n, revision: -1 };
      targets.push({
        replica: replica as unknown as Target['replica'],
        until: live.get(model.name)?.checkpoint.position ?? -1n,
      });
    }
    await fill({ store: link, targets });
    const differences: string[] = [];
    for (const { replica } of targets) {
      const { name, tables } = replica.model;
      const found = live.get(name);
      const compared = compareDigests(found?.tables ?? [], await digestTables(replica.client, REBUILT, tables));
      const difference = differenceOf(name, compared);
      if (difference !== undefined) differences.push(difference);
      const last = await store.last(replica.model.streamPrefixes);
      if (found && found.checkpoint.position < last) differences.push(`${name} is not at the journal's end.`);
    }
    return differences;
  };
  assert.deepEqual(await inWorld(world, rebuilt), [], 'read models are not what the journal gives');
}

/** The provider's payments and the ledger's purchases are the same money. */
function judgePayments({ provider, deletedAtMs }: ServerEvidence, events: readonly LedgerEvent[]): void {
  for (const intent of provider.intents.values()) {
    const { id, userId, cents, wholeNova, paidAtMs, dispute } = intent;
    const bought = events.filter((event) => event.type === 'NovaPurchased' && event.paymentIntentId === id);
    let reversed = 0n;
    for (const event of events) {
      if (event.type === 'PurchaseReversed' && event.paymentIntentId === id) reversed += event.amount;
    }
    assert.ok(bought.length <= 1, `payment ${id} was credited ${bought.length} times`);
    if (bought.length === 0) {
      const isOpen = dispute?.status === 'needs_response';
      assert.ok(
        paidAtMs === undefined || returned(intent) === cents || isOpen,
        `payment ${id} was paid and neither credited nor given back`,
      );
      continue;
    }
    assert.ok(paidAtMs !== undefined, `payment ${id} was credited and not paid`);
    assert.equal(
      reversed,
      (BigInt(wholeNova) * MINOR_UNITS.NOVA * BigInt(returned(intent))) / BigInt(cents),
      `of payment ${id} the provider gave back another sum than the ledger`,
    );
    const deletedAt = deletedAtMs.get(userId) ?? Infinity;
    assert.ok(
      paidAtMs <= deletedAt,
      `payment ${id} was credited, though its member had been told deleted before it was paid`,
    );
  }
}

/** A dispute stops its member's spending until it is won, unless their account is closed. */
function judgeDisputes({ provider, deletedAtMs }: ServerEvidence, events: readonly LedgerEvent[]): void {
  const frozen = new Set<string | null>();
  const credited = new Set<string>();
  for (const event of events) {
    if (event.type === 'NovaPurchased') credited.add(event.paymentIntentId);
    if (event.type === 'SpendingFrozen') frozen.add(event.disputeId);
    if (event.type === 'SpendingUnfrozen') frozen.delete(event.disputeId);
  }
  for (const { id, userId, dispute } of provider.intents.values()) {
    if (dispute === undefined || deletedAtMs.has(userId)) continue;
    const stops = credited.has(id) && dispute.status !== 'won';
    assert.equal(
      frozen.has(dispute.id),
      stops,
      `spending stops otherwise than dispute ${dispute.id}, ${dispute.status}`,
    );
  }
}

const ENDINGS: ReadonlySet<string> = new Set([
  'ChatRequestAbandoned',
  'ChatDeclined',
  'ChatRequestExpired',
  'ChatSucceeded',
  'ChatTerminated',
]);

/** A chat ends once, and so does its money. */
async function judgeChats({ store }: ServerEvidence, events: readonly LedgerEvent[]): Promise<void> {
  const endings = new Map<string, number>();
  for await (const batch of store.inner.readAll({ streamPrefixes: [CHAT_STREAM_PREFIX] })) {
    for (const { stream, type } of batch) {
      if (ENDINGS.has(type)) endings.set(stream, (endings.get(stream) ?? 0) + 1);
    }
  }
  for (const [stream, times] of endings) assert.equal(times, 1, `${stream} ended ${times} times`);
  const held = new Map<string, number>();
  const moved = new Map<string, number>();
  for (const event of events) {
    if (event.type === 'ChatPaymentHeld') held.set(event.chatId, (held.get(event.chatId) ?? 0) + 1);
    if (event.type === 'ChatPaymentRefunded' || event.type === 'ChatPaymentSettled') {
      moved.set(event.chatId, (moved.get(event.chatId) ?? 0) + 1);
    }
  }
  for (const [chatId, times] of held) {
    assert.equal(times, 1, `chat ${chatId} was paid for ${times} times`);
    const isOver = endings.has(chatStream(chatId));
    assert.equal(moved.get(chatId) ?? 0, isOver ? 1 : 0, `the money of chat ${chatId} did not move as the chat ended`);
  }
}

/** Runs work of a server in simulated time. */
async function inWorld<T>(world: World, work: () => Promise<T>): Promise<T> {
  let settled: { readonly value: T } | { readonly error: unknown } | undefined;
  world.after(0, () => {
    work().then(
      (value) => (settled = { value }),
      (error: unknown) => (settled = { error }),
    );
  });
  await world.run(() => settled !== undefined, world.nowMs + WORK_MS_MAX);
  if (!settled) throw new Error('work of a server did not end');
  if ('error' in settled) throw settled.error;
  return settled.value;
}
