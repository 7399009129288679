import { encodeLedgerEvent, KeyWindow, LEDGER_STREAM, type LedgerEvent, LedgerState } from '@app/domain';
import {
  AppendOutcomeUnknown,
  AppendTooLarge,
  MemoryEventStore,
  StoreUnavailable,
  type EventStore,
  type NewEvent,
  type RecordedEvent,
} from '@app/event-store';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { v7 as uuidV7 } from 'uuid';
import { eventually } from '../../../test/support/eventually.js';
import { printEnvelope } from './envelope.js';
import { EMPTY_HEAD, followJournal, StoreJournal } from './journal-reader.js';
import { AdversarialStore, type Fate } from './testing/adversarial-store.js';
import { ManualClock, emptyIndex, gift, grant, startWriter } from './testing/writers.js';
import { noTurns, type WritingTurn } from './turn.js';
import {
  type CommandOutcome,
  type CommandRequest,
  type JournalEvent,
  type KeyIndex,
  LedgerBusy,
  LedgerOutcomeUnknown,
} from './writer-port.js';

const accepted = (outcome: CommandOutcome) => {
  if (outcome.status !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(outcome, asText)}`);
  return outcome;
};
const asText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);
const key = (value: string, member = 'ada') => ({ scope: `member:${member}:gifts.send`, value });

const sizes = (store: MemoryEventStore): number[] => {
  const seen: number[] = [];
  const append = store.append.bind(store);
  store.append = (stream, events, expected) => {
    seen.push(events.length);
    return append(stream, events, expected);
  };
  return seen;
};

const recordedIn = async (store: EventStore): Promise<RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for await (const batch of store.readStream(LEDGER_STREAM)) events.push(...batch);
  return events;
};

/** From now on every append waits until it is let through: by what stands here for it, the oldest first. */
const holdAppends = (store: EventStore): (() => void)[] => {
  const held: (() => void)[] = [];
  const append = store.append.bind(store);
  store.append = async (...args) => {
    await new Promise<void>((resolve) => held.push(resolve));
    return append(...args);
  };
  return held;
};

/** A store at whose address a stand-by answers once it is told to. */
function twoStores() {
  const [lost, standBy] = [new MemoryEventStore(), new MemoryEventStore()];
  let address: EventStore = lost;
  const store = new Proxy(lost, {
    get: (_, name) => {
      const value: unknown = Reflect.get(address, name);
      return typeof value === 'function' ? (value.bind(address) as unknown) : value;
    },
  });
  return { lost, standBy, store, failOver: () => (address = standBy) };
}

describe('the ledger writer', () => {
  it('answers with the events, their revision and the balances after them', async () => {
    const writer = await startWriter();
    await writer.execute(grant('ada', 5_000_00n));
    const outcome = accepted(await writer.execute({ command: gift('ada', 'bob'), actor: 'member:ada' }));
    expect(outcome.events.map(({ event }) => event.type)).toEqual(['GiftSent']);
    expect(outcome.revision).toBe(1);
    expect(outcome.balances).toEqual(
      new Map([
        ['ada', 4_000_00n],
        ['bob', 500_00n],
      ]),
    );
  });

  it('groups commands that arrive together into one append, and the next batch into one more', async () => {
    const store = new MemoryEventStore();
    const appends = sizes(store);
    const writer = await startWriter({ store });
    await Promise.all(Array.from({ length: 100 }, () => writer.execute(grant('ada', 100n))));
    expect(appends).toEqual([100]);
  });

  it('never has two appends in flight', async () => {
    const store = new MemoryEventStore();
    let inFlight = 0;
    let most = 0;
    const append = store.append.bind(store);
    store.append = async (...args) => {
      most = Math.max(most, ++inFlight);
      await new Promise((resolve) => setTimeout(resolve, 2));
      const result = await append(...args);
      inFlight -= 1;
      return result;
    };
    const writer = await startWriter({ store });
    const commands: Promise<CommandOutcome>[] = [];
    for (let n = 0; n < 60; n++) {
      commands.push(writer.execute(grant('ada', 100n)));
      if (n % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await Promise.all(commands);
    expect(most).toBe(1);
    expect(writer.revision).toBe(59);
  });

  it('decides on what is in flight, and tells a refusal only when that is durable', async () => {
    const store = new MemoryEventStore();
    const order: string[] = [];
    let release = (): void => undefined;
    const append = store.append.bind(store);
    store.append = async (...args) => {
      await new Promise<void>((resolve) => (release = resolve));
      return append(...args);
    };
    const writer = await startWriter({ store });
    const first = writer.execute(grant('ada', 1_000_00n)).then(() => order.push('granted'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const refused = writer.execute({ command: gift('ada', 'bob', 2_000_00n), actor: 'member:ada' }).then((outcome) => {
      order.push(outcome.status);
      return outcome;
    });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(order).toEqual([]);
    release();
    await first;
    expect(await refused).toMatchObject({ status: 'refused', revision: 0, rejection: { code: 'INSUFFICIENT_NOVA' } });
    expect(order).toEqual(['granted', 'refused']);
  });

  it('cuts its batches where a store takes less, and refuses a command that is too large by itself', async () => {
    const store = new MemoryEventStore({ maxAppendBytes: 2_000 });
    const writer = await startWriter({ store });
    const many = await Promise.all(Array.from({ length: 40 }, (_, n) => writer.execute(grant(`m-${n}`, 100n))));
    expect(many.filter(({ status }) => status === 'accepted')).toHaveLength(40);
    expect(writer.revision).toBe(39);
    const outcomes = await Promise.all([
      writer.execute({ ...grant('ada', 100n), dryRun: true }),
      writer.execute({ ...grant('cyd', 100n), actor: `admin:${'x'.repeat(2_000)}` }),
      writer.execute(grant('bob', 100n)),
    ]);
    expect(outcomes.map((outcome) => ('rejection' in outcome ? outcome.rejection.code : outcome.status))).toEqual([
      'accepted',
      'COMMAND_TOO_LARGE',
      'accepted',
    ]);
    expect((await store.head(LEDGER_STREAM))?.revision).toBe(40);
  });

  it('says unknown of a batch that is refused as too large after it may have been written', async () => {
    const store = new MemoryEventStore();
    const append = store.append.bind(store);
    let calls = 0;
    store.append = async (...args) => {
      calls += 1;
      if (calls === 2) throw new AppendTooLarge('less than before');
      await append(...args);
      throw new AppendOutcomeUnknown('no answer');
    };
    const writer = await startWriter({ store, retryMs: 1 });
    await expect(writer.execute(grant('ada', 100n))).rejects.toThrow(LedgerOutcomeUnknown);
    await eventually(() => writer.revision === 0);
  });

  it('does nothing of what it gave up before it was sent, and decides the rest of its batch without that', async () => {
    const store = new MemoryEventStore();
    const held = holdAppends(store);
    const writer = await startWriter({ store });
    const first = writer.execute(grant('ada', 100n));
    await eventually(() => held.length);
    const givenUp = writer.execute({ ...grant('bob', 5_000_00n), timeoutMs: 1 });
    const resting = writer.execute({ command: gift('bob', 'cyd'), actor: 'member:bob' });
    const kept = writer.execute(grant('cyd', 100n));
    await expect(givenUp).rejects.toThrow(LedgerBusy);
    held.shift()?.();
    accepted(await first);
    (await eventually(() => held.shift()))?.();
    expect(await resting).toMatchObject({ status: 'refused', rejection: { code: 'INSUFFICIENT_NOVA' } });
    expect(accepted(await kept).revision).toBe(1);
    await writer.stop();
    expect((await store.head(LEDGER_STREAM))?.revision).toBe(1);
  });

  it('ends although all that waited was given up', async () => {
    const store = new MemoryEventStore();
    const held = holdAppends(store);
    const writer = await startWriter({ store });
    const first = writer.execute(grant('ada', 100n));
    await eventually(() => held.length);
    await expect(writer.execute({ ...grant('bob', 100n), timeoutMs: 1 })).rejects.toThrow(LedgerBusy);
    held.shift()?.();
    accepted(await first);
    await writer.stop();
    expect(writer.revision).toBe(0);
  });

  it('takes a key once and answers a repeat from the events', async () => {
    const writer = await startWriter();
    await writer.execute(grant('ada', 5_000_00n));
    const request = { command: gift('ada', 'bob'), actor: 'member:ada', key: key('any text') };
    const [first, again] = await Promise.all([writer.execute(request), writer.execute(request)]);
    expect(accepted(again)).toMatchObject({ repeated: true, revision: accepted(first).revision });
    expect(accepted(again).events).toEqual(accepted(first).events);
    const other = { ...request, command: gift('ada', 'bob', 2_000_00n) };
    expect(await writer.execute(other)).toEqual({ status: 'key-reused' });
    expect(writer.revision).toBe(1);
  });

  it('answers a repeat with all the events of its command', async () => {
    const writer = await startWriter();
    await writer.execute(grant('ada', 10_000_00n));
    for (const chatId of ['one', 'two']) {
      await writer.execute({
        command: { type: 'HoldChatPayment', chatId, initiatorId: 'ada', hostId: 'bob', amount: 1_000_00n },
        actor: 'member:ada',
      });
      await writer.execute({ command: { type: 'SettleChatPayment', chatId, outcome: 'success' }, actor: 'process' });
      await writer.execute({ command: { type: 'ReleaseChatReward', chatId, side: 'initiator' }, actor: 'process' });
    }
    await writer.execute({ command: gift('ada', 'bob'), actor: 'member:ada' });
    const request = {
      command: { type: 'CollectRewards', userId: 'ada' },
      actor: 'member:ada',
      key: key('collect'),
    } as const;
    const first = accepted(await writer.execute(request));
    expect(accepted(await writer.execute(request)).events).toEqual(first.events);

    const grants = ['ada', 'bob', 'cleo', 'dan'].map((userId) => ({ userId, amount: 1n }));
    const bulk = {
      command: { type: 'GrantNovaInBulk', adminId: 'admin', grants },
      actor: 'admin:admin',
      key: key('bulk', 'admin'),
    } as const;
    const { events } = accepted(await writer.execute(bulk));
    await writer.execute(grant('ada', 1n));
    expect(events).toHaveLength(4);
    expect(accepted(await writer.execute(bulk))).toMatchObject({ events, revision: events[3]?.revision });
  });

  it('lets keys go that others pushed out of the window, once that is durable: they would fill its memory', async () => {
    const state = new LedgerState(new KeyWindow(2));
    const letGo = jest.spyOn(state, 'settleKeys');
    const writer = await startWriter({ snapshots: { newest: () => Promise.resolve({ state, head: EMPTY_HEAD }) } });
    for (const value of ['one', 'two', 'three', 'four']) {
      await writer.execute({ ...grant('ada', 1n), key: { scope: 'fact', value } });
    }
    expect(letGo).toHaveBeenLastCalledWith(2);
  });

  it('takes a repeat for the same request although its daily limit was changed meanwhile', async () => {
    const writer = await startWriter();
    await writer.execute(grant('ada', 5_000_00n));
    const spend = (amount: bigint, dailyLimit: bigint) => {
      const via = { clientId: 'chess', ownerId: 'dev', dailyLimit };
      const scope = 'app:chess:ada:tokens.spend';
      return writer.execute({
        command: { type: 'SpendAppTokens', userId: 'ada', amount, via },
        actor: 'app:chess',
        key: { scope, value: 'once' },
      });
    };
    const first = accepted(await spend(60_00n, 100_00n));
    expect(first).toMatchObject({ repeated: false, spentToday: 60_00n });
    const again = accepted(await spend(60_00n, 10_00n));
    expect(again).toMatchObject({ repeated: true, revision: first.revision });
    expect(again.spentToday).toBeUndefined();
    expect((await spend(61_00n, 100_00n)).status).toBe('key-reused');
  });

  it('tells what was spent through an application on the day, gifts included', async () => {
    const writer = await startWriter();
    await writer.execute(grant('ada', 9_000_00n));
    const via = { clientId: 'chess', ownerId: 'dev', dailyLimit: 5_000_00n };
    await writer.execute({ command: { type: 'SpendAppTokens', userId: 'ada', amount: 1n, via }, actor: 'app:chess' });
    const transfer = { type: 'SendGift', senderId: 'ada', recipientId: 'bob', amount: 1_000_00n, via } as const;
    const given = await writer.execute({ command: transfer, actor: 'app:chess' });
    expect(accepted(given).spentToday).toBe(1_000_01n);
    const own = await writer.execute({ command: gift('ada', 'bob'), actor: 'member:ada' });
    expect(accepted(own).spentToday).toBeUndefined();
  });

  it('decides a refused key anew: refusals leave no trace', async () => {
    const writer = await startWriter();
    const request = {
      command: gift('ada', 'bob'),
      actor: 'member:ada',
      key: key(uuidV7({ msecs: Date.UTC(2026, 0, 1) })),
    };
    expect(await writer.execute(request)).toMatchObject({ status: 'refused' });
    await writer.execute(grant('ada', 5_000_00n));
    expect(accepted(await writer.execute(request)).repeated).toBe(false);
  });

  it('refuses a key made more than a minute ahead of journal time', async () => {
    const writer = await startWriter();
    await writer.execute(grant('ada', 5_000_00n));
    const ahead = uuidV7({ msecs: Date.UTC(2026, 0, 1) + 61_000 });
    const outcome = await writer.execute({ command: gift('ada', 'bob'), actor: 'member:ada', key: key(ahead) });
    expect(outcome).toMatchObject({ status: 'refused', rejection: { code: 'IDEMPOTENCY_KEY_AHEAD' } });
  });

  it('dry runs decide alike and append nothing', async () => {
    const writer = await startWriter();
    await writer.execute(grant('ada', 5_000_00n));
    const dry = accepted(await writer.execute({ command: gift('ada', 'bob'), actor: 'member:ada', dryRun: true }));
    expect(dry.events[0]?.event).toMatchObject({ type: 'GiftSent', recipientShare: 500_00n });
    expect([dry.balancesBefore?.get('ada'), dry.balances?.get('ada')]).toEqual([5_000_00n, 4_000_00n]);
    expect(writer.revision).toBe(0);
  });

  it('dry runs of what was done under their key answer that, and under another command’s are refused', async () => {
    const writer = await startWriter();
    const request = { ...grant('ada', 100n), key: { scope: 'test', value: 'one' } };
    expect(accepted(await writer.execute({ ...request, dryRun: true })).repeated).toBe(false);
    const done = accepted(await writer.execute(request));
    const dry = accepted(await writer.execute({ ...request, dryRun: true }));
    expect([dry.repeated, dry.events]).toEqual([true, done.events]);
    const other = { ...grant('ada', 200n), key: request.key, dryRun: true };
    expect(await writer.execute(other)).toEqual({ status: 'key-reused' });
    expect(writer.revision).toBe(0);
  });

  it('stamps time that never runs backwards', async () => {
    const clock = new ManualClock();
    const writer = await startWriter({ clock });
    const first = accepted(await writer.execute(grant('ada', 100n)));
    clock.ms -= 60_000;
    const second = accepted(await writer.execute(grant('ada', 100n)));
    expect(second.events[0]?.event.at).toBe(first.events[0]?.event.at);
  });

  it('takes nothing while the clock is off', async () => {
    const clock = new ManualClock();
    const writer = await startWriter({ clock });
    clock.ready = false;
    await expect(writer.execute(grant('ada', 100n))).rejects.toThrow(LedgerBusy);
  });

  it('refuses at once when too many wait, and nothing of it happens', async () => {
    const writer = await startWriter({ queueMax: 10 });
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => writer.execute(grant('ada', 100n))));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))).toEqual(
      Array.from({ length: 20 }, () => expect.any(LedgerBusy)),
    );
    expect(writer.revision).toBe(9);
  });

  it('chains every event to the one before, and a reader checks it', async () => {
    const store = new MemoryEventStore();
    const writer = await startWriter({ store });
    for (let n = 0; n < 5; n++) await writer.execute(grant('ada', 100n));
    const state = new LedgerState();
    const head = await followJournal(new StoreJournal(store), state, EMPTY_HEAD);
    expect(head.revision).toBe(4);
    expect(state.balance('ada', 'earned')).toBe(500n);
  });

  it('notices a tampered journal at the start', async () => {
    const store = new MemoryEventStore();
    await (await startWriter({ store })).execute(grant('ada', 100n));
    const tampered: EventStore = Object.create(store, {
      readStream: {
        value: async function* (...args: Parameters<EventStore['readStream']>) {
          for await (const batch of store.readStream(...args)) {
            yield batch.map((event) => ({ ...event, data: event.data.replaceAll('100', '900') }));
          }
        },
      },
    });
    await expect(startWriter({ store: tampered })).rejects.toThrow('does not fit its bytes');
  });
});

describe('the ledger writer among others', () => {
  afterEach(() => jest.restoreAllMocks());

  it('tells of every event once it is durable, its own and those of others, each once and in order', async () => {
    const store = new MemoryEventStore();
    const [ours, theirs] = [await startWriter({ store }), await startWriter({ store })];
    await theirs.execute(grant('eve', 1n));
    const told: JournalEvent[] = [];
    const toldAsWell: JournalEvent[] = [];
    const stop = ours.listen({ onEvents: (events) => told.push(...events) });
    ours.listen({ onEvents: (events) => toldAsWell.push(...events) });
    for (let n = 0; n < 20; n++) {
      await Promise.all([
        ours.execute(grant('ada', 1n)),
        theirs.execute(grant('bob', 1n)),
        ours.execute(grant('cyd', 1n)),
      ]);
    }
    await theirs.execute(grant('bob', 1n));
    await eventually(() => told.at(-1)?.revision === 61);
    const stored: RecordedEvent[] = [];
    for await (const batch of store.readStream(LEDGER_STREAM, { from: 1 })) stored.push(...batch);
    const afterItsStart = told.filter(({ revision }) => revision > 0);
    // Ids are made from the hashes of the chain.
    expect(afterItsStart.map(({ id, revision, event }) => ({ id, revision, data: encodeLedgerEvent(event) }))).toEqual(
      stored.map(({ id, revision, data }) => ({ id, revision, data })),
    );
    expect(toldAsWell).toEqual(told);
    stop();
    await ours.execute(grant('ada', 1n));
    expect(toldAsWell).toHaveLength(told.length + 1);
  });

  it('tells of nothing that is not durable, and of nothing that its state was built from', async () => {
    const store = new MemoryEventStore();
    const before = await startWriter({ store });
    await before.execute(grant('ada', 1n));
    const held = holdAppends(store);
    const writer = await startWriter({ store });
    const told: number[] = [];
    writer.listen({ onEvents: (events) => told.push(...events.map(({ revision }) => revision)) });
    const granted = writer.execute(grant('ada', 1n));
    await eventually(() => held.length === 1);
    expect(told).toEqual([]);
    held[0]?.();
    await granted;
    expect(told).toEqual([1]);
  });

  it('reads what another server wrote and decides again', async () => {
    const store = new MemoryEventStore();
    const one = await startWriter({ store });
    const two = await startWriter({ store });
    await one.execute(grant('ada', 1_500_00n));
    const outcomes = await Promise.all([
      one.execute({ command: gift('ada', 'bob'), actor: 'member:ada' }),
      two.execute({ command: gift('ada', 'bob'), actor: 'member:ada' }),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['accepted', 'refused']);
    expect(one.stats.conflicts + two.stats.conflicts).toBeGreaterThan(0);
  });

  it('reads once what came between', async () => {
    const store = new MemoryEventStore();
    const one = await startWriter({ store });
    const two = await startWriter({ store });
    await one.execute(grant('ada', 100n));
    const readStream = jest.spyOn(store, 'readStream');
    accepted(await two.execute(grant('ada', 100n)));
    expect(two.stats.conflicts).toBe(1);
    expect(readStream).toHaveBeenCalledTimes(1);
  });

  it('reads nothing of its own where the turn brought it', async () => {
    const store = new MemoryEventStore();
    const all = store.readStream.bind(store);
    const turn: WritingTurn = {
      ...noTurns,
      take: async (from) => {
        const read: RecordedEvent[] = [];
        for await (const batch of all(LEDGER_STREAM, { from })) read.push(...batch);
        return read;
      },
    };
    const one = await startWriter({ store });
    const two = await startWriter({ store, turn });
    const readStream = jest.spyOn(store, 'readStream');
    await one.execute(grant('ada', 1_000_00n));
    accepted(await two.execute({ command: gift('ada', 'bob'), actor: 'member:ada' }));
    expect(two.stats.conflicts).toBe(1);
    await Promise.all([one, two].map((server) => server.execute(grant('ada', 100n)).then(accepted)));
    expect((await store.head(LEDGER_STREAM))?.revision).toBe(3);
    expect(readStream).toHaveBeenCalledTimes(one.stats.conflicts);
  });

  it('takes the same command from two servers in the same millisecond twice where no key says that it is one', async () => {
    const store = new MemoryEventStore();
    const servers = [await startWriter({ store }), await startWriter({ store })];
    const outcomes = await Promise.all(servers.map((server) => server.execute(grant('ada', 1_000_00n))));
    expect(new Set(outcomes.map((outcome) => accepted(outcome).revision))).toEqual(new Set([0, 1]));
    expect(await store.head(LEDGER_STREAM)).toMatchObject({ revision: 1 });
  });

  it('takes a key once where two servers have it in the same millisecond', async () => {
    const store = new MemoryEventStore();
    const servers = [await startWriter({ store }), await startWriter({ store })];
    const request = { ...grant('ada', 1_000_00n), key: key('any text') };
    const outcomes = await Promise.all(servers.map((server) => server.execute(request)));
    expect(outcomes.map((outcome) => accepted(outcome).revision)).toEqual([0, 0]);
    expect(await store.head(LEDGER_STREAM)).toMatchObject({ revision: 0 });
  });

  it('takes turns of one batch each while others write, and none when they have stopped', async () => {
    const store = new MemoryEventStore();
    const turns = new Turns();
    const start = (name: string) => startWriter({ store, turn: turns.of(name) });
    const one = await start('one');
    const servers = [one, await start('two'), await start('three')];
    const conflicts = (): number => servers.reduce((sum, { stats }) => sum + stats.conflicts, 0);
    const over = new AbortController();
    const callers = servers.flatMap((server, n) =>
      Array.from({ length: 5 }, async (_, caller) => {
        while (!over.signal.aborted) accepted(await server.execute(grant(`member-${n}-${caller}`, 100n)));
      }),
    );
    // Until whoever always won has noticed that others wait.
    while (new Set(turns.order.slice(-3)).size < 3) await pause(10);
    await pause(20);
    const [before, from] = [conflicts(), turns.order.length];
    while (turns.order.length < from + 60) await pause(10);
    expect(conflicts()).toBe(before);
    const order = turns.order.slice(from, from + 60);
    expect(order).toEqual(order.map((_, n) => order[n % 3]));
    expect(new Set(order).size).toBe(3);
    over.abort();
    await Promise.all(callers);
    // An idle server still looks at what they wrote last, and takes them for busy a second longer.
    await pause(2_300);
    const taken = turns.order.length;
    for (let n = 0; n < 5; n++) accepted(await one.execute(grant('ada', 100n)));
    expect(turns.order).toHaveLength(taken);
    for (const server of servers) await server.stop();
    expect(turns.holders).toBe(0);
  });

  it('asks for its turn only when nothing of its own is under way', async () => {
    const inner = new MemoryEventStore();
    const mine = new AdversarialStore(inner, () => 'deliver');
    let tellWanted: ((isWanted: boolean) => void) | undefined;
    let letRead = (): void => undefined;
    const mayRead = new Promise<void>((resolve) => (letRead = resolve));
    const turn: WritingTurn = {
      ...noTurns,
      take: async (from) => {
        await mayRead;
        const read: RecordedEvent[] = [];
        for await (const batch of inner.readStream(LEDGER_STREAM, { from })) read.push(...batch);
        return read;
      },
      isWanted: () => new Promise((resolve) => (tellWanted = resolve)),
    };
    const fatal = jest.fn();
    const writer = await startWriter({ store: mine, turn, onFatal: fatal });
    const other = await startWriter({ store: inner });
    accepted(await writer.execute(grant('ada', 100n)));
    await eventually(() => tellWanted);
    const held = holdAppends(mine);
    const readStream = jest.spyOn(mine, 'readStream');
    const outcomes = [writer.execute(grant('ada', 100n))];
    await eventually(() => held.length);
    outcomes.push(writer.execute(grant('ada', 100n)));
    await nextTurn();
    // The second batch is decided, and the others are taken for writing for as long as this clock stands still.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    tellWanted?.(true);
    await nextTurn();
    outcomes.push(writer.execute(grant('ada', 100n)));
    held.shift()?.();
    const second = await eventually(() => held.shift());
    accepted(await other.execute(grant('bob', 100n)));
    letRead();
    await nextTurn();
    second?.();
    const third = await eventually(() => held.shift());
    third?.();
    const revisions = (await Promise.all(outcomes)).map((outcome) => accepted(outcome).revision);
    expect(revisions).toEqual([1, 3, 4]);
    expect(fatal).not.toHaveBeenCalled();
    expect(readStream).not.toHaveBeenCalled();
  });

  it('writes without a turn that does not come', async () => {
    const store = new MemoryEventStore();
    const [one, two] = [await startWriter({ store }), await startWriter({ store })];
    const callers = [one, two].map(async (server, n) => {
      for (let round = 0; round < 50; round++) accepted(await server.execute(grant(`member-${n}`, 100n)));
    });
    await Promise.all(callers);
    expect((await store.head(LEDGER_STREAM))?.revision).toBe(99);
  });

  it('confirms a refusal against the head: what another server granted counts', async () => {
    const store = new MemoryEventStore();
    const one = await startWriter({ store });
    const two = await startWriter({ store });
    await one.execute(grant('ada', 5_000_00n));
    expect(await two.execute({ command: gift('ada', 'bob'), actor: 'member:ada' })).toMatchObject({
      status: 'accepted',
    });
  });

  it('repeats the identical append until the outcome is known', async () => {
    const store = new MemoryEventStore();
    const tries: (readonly NewEvent[])[] = [];
    const append = store.append.bind(store);
    store.append = async (stream, events, expected) => {
      tries.push(events);
      const result = await append(stream, events, expected);
      if (tries.length < 3) throw new AppendOutcomeUnknown('timed out');
      return result;
    };
    const writer = await startWriter({ store });
    expect(accepted(await writer.execute(grant('ada', 100n))).revision).toBe(0);
    expect(tries).toHaveLength(3);
    expect(tries[1]).toBe(tries[0]);
    expect(writer.revision).toBe(0);
  });

  it('ends at its deadline what waits for its turn', async () => {
    const store = new MemoryEventStore();
    const turn: WritingTurn = { ...noTurns, take: () => new Promise(() => {}) };
    const [writer, other] = [await startWriter({ store, turn }), await startWriter({ store })];
    await other.execute(grant('ada', 1n));
    await expect(writer.execute({ ...grant('ada', 1n), timeoutMs: 50 })).rejects.toThrow(LedgerBusy);
  });

  it('ends at its deadline what waits for the index of keys', async () => {
    const state = new LedgerState(new KeyWindow(1));
    const writer = await startWriter({
      snapshots: { newest: () => Promise.resolve({ state, head: EMPTY_HEAD }) },
      keyIndex: { find: () => new Promise(() => {}) },
    });
    const request = (value: string) => ({ ...grant('ada', 1n), key: { scope: 'fact', value } });
    for (const value of ['one', 'two']) accepted(await writer.execute(request(value)));
    await expect(writer.execute({ ...request('three'), timeoutMs: 50 })).rejects.toThrow(LedgerBusy);
  });

  it('says OUTCOME_UNKNOWN at the deadline of what was sent', async () => {
    const store = new MemoryEventStore();
    let away = true;
    const append = store.append.bind(store);
    store.append = (...args) => (away ? Promise.reject(new AppendOutcomeUnknown('timed out')) : append(...args));
    const writer = await startWriter({ store });
    await expect(writer.execute({ ...grant('ada', 100n), timeoutMs: 150 })).rejects.toThrow(LedgerOutcomeUnknown);
    away = false;
    await writer.stop();
    expect(writer.revision).toBe(0);
  });
});

describe('the ledger writer beside an event that is none', () => {
  const last = { revision: 0 };
  /** What somebody put behind the last event. */
  const BROKEN = [
    ['without a hash', '{}', /the hash of revision 1 does not fit/],
    ['with a hash of other bytes', printEnvelope({ hash: 'ab'.repeat(32) }), /the hash of revision 1 does not fit/],
  ] as const;

  async function withBroken(metadata: string) {
    const store = new MemoryEventStore();
    const onFatal = jest.fn<void, [unknown]>();
    const writer = await startWriter({ store, onFatal, retryMs: 0 });
    await writer.execute(grant('ada', 100n));
    const breakIt = () =>
      store.append(
        LEDGER_STREAM,
        [{ id: crypto.randomUUID(), type: 'NovaGranted', data: '{}', metadata }],
        last.revision,
      );
    return { store, writer, onFatal, breakIt };
  }

  it.each(BROKEN)('names it at once while it is idle: %s', async (_, metadata, name) => {
    const { writer, onFatal, breakIt } = await withBroken(metadata);
    await breakIt();
    await eventually(() => onFatal.mock.calls.length);
    expect(String(onFatal.mock.calls[0]?.[0])).toMatch(name);
    await expect(writer.execute(grant('ada', 100n))).rejects.toThrow(LedgerBusy);
    await writer.stop();
    expect(onFatal).toHaveBeenCalledTimes(1);
  });

  it.each(BROKEN)('never says OUTCOME_UNKNOWN of what was not sent, or lost to it: %s', async (_, metadata, name) => {
    const { store, writer, onFatal, breakIt } = await withBroken(metadata);
    const append = jest.spyOn(store, 'append');
    await breakIt();
    append.mockClear();
    const requests = [
      { ...grant('ada', 100n), dryRun: true },
      { command: gift('ada', 'bob', 999_999_999_999n), actor: 'member:ada' },
      grant('bob', 100n),
    ];
    for (const request of requests) {
      const error: unknown = await writer.execute(request).then(
        () => 'accepted',
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(LedgerBusy);
    }
    await eventually(() => onFatal.mock.calls.length);
    expect(String(onFatal.mock.calls[0]?.[0])).toMatch(name);
    expect(await store.head(LEDGER_STREAM)).toMatchObject({ revision: 1 });
  });

  it('says so of a conflict behind which it stands, too', async () => {
    const { writer, onFatal, breakIt } = await withBroken('{}');
    await breakIt();
    await expect(writer.execute(grant('bob', 100n))).rejects.toThrow(LedgerBusy);
    await eventually(() => onFatal.mock.calls.length);
  });

  it('takes a store that is away for nothing else', async () => {
    const { store, writer, onFatal } = await withBroken('{}');
    const head = jest.spyOn(store, 'head').mockRejectedValue(new StoreUnavailable('away'));
    await eventually(() => head.mock.calls.length > 1);
    head.mockRestore();
    expect(accepted(await writer.execute(grant('ada', 1n))).revision).toBe(1);
    expect(onFatal).not.toHaveBeenCalled();
  });
});

describe('the ledger writer while the store comes back', () => {
  it('sends nothing whose caller was told that nothing was done, and the rest of its batch', async () => {
    const store = new MemoryEventStore();
    const head = store.head.bind(store);
    const writer = await startWriter({ store });
    let looks = 0;
    store.head = () => {
      looks += 1;
      return Promise.reject(new StoreUnavailable('no quorum'));
    };
    await eventually(() => looks > 0);
    let answerLook = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answerLook = resolve));
    store.head = async (stream) => {
      await answered;
      return head(stream);
    };
    const patient = writer.execute(grant('bob', 1n));
    const impatient = writer.execute({ ...grant('ada', 1n), timeoutMs: 50 });
    await expect(impatient).rejects.toBeInstanceOf(LedgerBusy);
    answerLook();
    expect(accepted(await patient).revision).toBe(0);
    expect(await recordedIn(store)).toHaveLength(1);
  });
});

describe('the ledger writer on a journal that ends inside a command', () => {
  const bulk: CommandRequest = {
    command: {
      type: 'GrantNovaInBulk',
      adminId: 'admin',
      grants: ['ada', 'bob', 'cem'].map((userId) => ({ userId, amount: 100n })),
    },
    actor: 'admin:admin',
    key: key('bulk'),
  };

  async function torn(kept: number) {
    const [whole, cut] = [new MemoryEventStore(), new MemoryEventStore()];
    const before = await startWriter({ store: whole });
    await before.execute(grant('ada', 100n));
    await before.execute(bulk);
    const events = (await recordedIn(whole)).map(({ id, type, data, metadata }) => ({ id, type, data, metadata }));
    await cut.append(LEDGER_STREAM, events.slice(0, kept), 'none');
    return { cut, rest: events.slice(kept) };
  }

  it.each([2, 3])('has nothing of the command, and writes nothing (%i of 4 events are left)', async (kept) => {
    const { cut } = await torn(kept);
    const writer = await startWriter({ store: cut });
    expect(writer.halted).toBe('the journal ends inside the command that begins at revision 1');
    expect(writer.revision).toBe(0);
    await expect(writer.execute(bulk)).rejects.toMatchObject({ code: 'JOURNAL_STOPPED' });
    await expect(writer.execute(grant('ada', 1n))).rejects.toMatchObject({ code: 'JOURNAL_STOPPED' });
    expect(await recordedIn(cut)).toHaveLength(kept);
  });

  it('goes on once the rest is there, and repeats the whole command', async () => {
    const { cut, rest } = await torn(2);
    const writer = await startWriter({ store: cut });
    await cut.append(LEDGER_STREAM, rest, 1);
    await eventually(() => writer.halted === undefined);
    const outcome = accepted(await writer.execute(bulk));
    expect(outcome.repeated).toBe(true);
    expect(outcome.events).toHaveLength(3);
  });
});

describe('the ledger writer after a fail-over that lost events', () => {
  const expectWhole = (store: EventStore) => followJournal(new StoreJournal(store), new LedgerState(), EMPTY_HEAD);

  /** A writer at revision 2, and a stand-by that has revision 1 and takes the store's place when it is told to. */
  async function withStandBy() {
    const { lost, standBy, store, failOver } = twoStores();
    const writer = await startWriter({ store, retryMs: 0 });
    for (const userId of ['ada', 'bob', 'lost']) await writer.execute(grant(userId, 100n));
    const had = (await recordedIn(lost)).slice(0, 2);
    await standBy.append(
      LEDGER_STREAM,
      had.map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
      'none',
    );
    return { writer, lost, standBy, failOver };
  }

  const writeElsewhere = async (store: EventStore) =>
    accepted(await (await startWriter({ store })).execute(grant('eve', 100n)));

  it('goes back while idle to a journal that is shorter', async () => {
    const { writer, standBy, failOver } = await withStandBy();
    failOver();
    await eventually(() => writer.revision === 1);
    expect(accepted(await writer.execute(grant('cyd', 100n))).revision).toBe(2);
    await expectWhole(standBy);
  });

  it('finds while idle a journal that is as long and not the same', async () => {
    const { writer, standBy, failOver } = await withStandBy();
    await writeElsewhere(standBy);
    const readStream = jest.spyOn(standBy, 'readStream');
    failOver();
    await eventually(() => readStream.mock.calls.length);
    expect(accepted(await writer.execute(grant('cyd', 100n))).revision).toBe(3);
    await expectWhole(standBy);
  });

  it('repeats no append to a journal that is as long and not the same', async () => {
    const { writer, lost, standBy, failOver } = await withStandBy();
    await writeElsewhere(standBy);
    lost.append = () => {
      failOver();
      return Promise.reject(new AppendOutcomeUnknown('the connection broke'));
    };
    await expect(writer.execute(grant('cyd', 100n))).rejects.toThrow(LedgerOutcomeUnknown);
    expect(accepted(await writer.execute(grant('cyd', 100n))).revision).toBe(3);
    await expectWhole(standBy);
    expect(await recordedIn(standBy)).toHaveLength(4);
  });

  it('reads once more what it read partly before and partly after', async () => {
    const { writer, lost, standBy, failOver } = await withStandBy();
    const [here, there] = [await startWriter({ store: lost }), await startWriter({ store: standBy })];
    for (const userId of ['dan', 'fay']) await here.execute(grant(userId, 100n));
    for (const userId of ['eve', 'gus', 'hal']) await there.execute(grant(userId, 100n));
    const readStream = lost.readStream.bind(lost);
    lost.readStream = async function* (stream, options) {
      yield* readStream(stream, { ...options, limit: 2 });
      failOver();
      yield* standBy.readStream(stream, { ...options, from: 4 });
    };
    expect(accepted(await writer.execute(grant('cyd', 100n))).revision).toBe(5);
    await expectWhole(standBy);
  });

  it('looks again when a call fails before what it saw is there', async () => {
    const { writer, lost, standBy, failOver } = await withStandBy();
    const keyed = { ...grant('dan', 100n), key: { scope: 'fact', value: 'dan' } };
    accepted(await writer.execute(keyed));
    await writeElsewhere(standBy);
    await writeElsewhere(standBy);
    let breakRead = (): void => undefined;
    const broken = new Promise<never>((_, reject) => {
      breakRead = () => reject(new StoreUnavailable('the connection broke'));
    });
    const readStream = jest.spyOn(lost, 'readStream').mockImplementation(async function* () {
      yield await broken;
    });
    const repeated = writer.execute(keyed);
    await eventually(() => readStream.mock.calls.length);
    lost.append = () => Promise.reject(new AppendOutcomeUnknown('the connection broke'));
    let tellHead = (): void => undefined;
    const head = await lost.head(LEDGER_STREAM);
    const looks = jest.spyOn(lost, 'head').mockReturnValue(
      new Promise((resolve) => {
        tellHead = () => resolve(head);
      }),
    );
    const given = writer.execute(grant('cyd', 100n));
    await eventually(() => looks.mock.calls.length);
    failOver();
    breakRead();
    await expect(repeated).rejects.toThrow(LedgerOutcomeUnknown);
    tellHead();
    await expect(given).rejects.toThrow(LedgerOutcomeUnknown);
    await expectWhole(standBy);
    expect(accepted(await writer.execute(grant('cyd', 100n))).revision).toBe(4);
  });

  it('looks before it appends to a store that was away while nothing was to be done', async () => {
    const { writer, lost, standBy, failOver } = await withStandBy();
    await writeElsewhere(standBy);
    let asked = false;
    lost.head = () => {
      asked = true;
      return Promise.reject(new StoreUnavailable('no connection'));
    };
    await eventually(() => asked);
    failOver();
    expect(accepted(await writer.execute(grant('cyd', 100n))).revision).toBe(3);
    await expectWhole(standBy);
  });

  it('asks no more once it has looked', async () => {
    const store = new MemoryEventStore();
    const fates: Fate[] = ['deliver', 'lose-request'];
    const writer = await startWriter({
      store: new AdversarialStore(store, () => fates.shift() ?? 'deliver'),
      retryMs: 0,
    });
    const head = jest.spyOn(store, 'head');
    for (let n = 0; n < 3; n++) accepted(await writer.execute(grant('ada', 100n)));
    expect(writer.stats.retries).toBe(1);
    expect(head).toHaveBeenCalledTimes(1);
  });
});

describe('keys beyond the window', () => {
  const HOUR = 3_600_000;
  const used = { fingerprint: '', revision: 1 };

  async function withEvictedKey(keyIndex: KeyIndex) {
    const clock = new ManualClock();
    const store = new MemoryEventStore();
    const writer = await startWriter({ store, clock, keyIndex });
    await writer.execute(grant('ada', 50_000_00n));
    const request = { command: gift('ada', 'bob'), actor: 'member:ada', key: key('a key that is no UUIDv7') };
    const first = accepted(await writer.execute(request));
    clock.ms += 49 * HOUR;
    for (let n = 0; n < 2; n++) {
      await writer.execute({ command: gift('ada', 'bob'), actor: 'member:ada', key: key(`later ${n}`) });
    }
    return { writer, request, first, clock, store };
  }

  it('are found in the index', async () => {
    let fingerprint = '';
    const index: KeyIndex = {
      find: (hashes) =>
        Promise.resolve({ through: 100, found: new Map(hashes.map((hash) => [hash, { ...used, fingerprint }])) }),
    };
    const empty: KeyIndex = { find: (hashes) => (fingerprint ? index.find(hashes) : emptyIndex.find(hashes)) };
    const { writer, request, first } = await withEvictedKey(empty);
    fingerprint = first.events[0]?.event.key?.fingerprint ?? '';
    expect(accepted(await writer.execute(request))).toMatchObject({ repeated: true, revision: first.revision });
    expect(await writer.execute({ ...request, command: gift('ada', 'bob', 3_000_00n) })).toEqual({
      status: 'key-reused',
    });
  });

  it('are not found where the journal does not reach: the index may have seen what a stand-by lost', async () => {
    let fingerprint = '';
    const ahead: KeyIndex = {
      find: (hashes) =>
        Promise.resolve({ through: 100, found: new Map(hashes.map((hash) => [hash, { fingerprint, revision: 50 }])) }),
    };
    const { writer, first } = await withEvictedKey({
      find: (hashes) => (fingerprint ? ahead.find(hashes) : emptyIndex.find(hashes)),
    });
    fingerprint = first.events[0]?.event.key?.fingerprint ?? '';
    const { revision } = writer;
    const lost = { command: gift('ada', 'bob'), actor: 'member:ada', key: key('used in what was lost') };
    expect(accepted(await writer.execute(lost))).toMatchObject({ repeated: false, revision: revision + 1 });
  });

  it('are looked for again where a stand-by took over before the index answered', async () => {
    const clock = new ManualClock();
    const { lost, standBy, store, failOver } = twoStores();
    let answer: ((empty: Awaited<ReturnType<KeyIndex['find']>>) => void) | undefined;
    let asked = 0;
    let use = { fingerprint: '', revision: -1 };
    const find: KeyIndex['find'] = (hashes) => {
      asked += 1;
      if (asked === 1) return new Promise((resolve) => (answer = resolve));
      return Promise.resolve({ through: 3, found: new Map(hashes.map((hash) => [hash, use])) });
    };
    const writer = await startWriter({ store, clock, keyIndex: { find }, retryMs: 0 });
    await writer.execute(grant('ada', 50_000_00n));
    const copies = (await recordedIn(lost)).map(({ id, type, data, metadata }) => ({ id, type, data, metadata }));
    await standBy.append(LEDGER_STREAM, copies, 'none');
    const there = await startWriter({ store: standBy, clock, keyIndex: emptyIndex });
    const give = (value: string) => ({ command: gift('ada', 'bob'), actor: 'member:ada', key: key(value) });
    const request = give('used at the stand-by alone');
    await writer.execute(give('used here'));
    const [first] = accepted(await there.execute(request)).events;
    use = { fingerprint: first?.event.key?.fingerprint ?? '', revision: first?.revision ?? -1 };
    clock.ms += 49 * HOUR;
    for (const each of [writer, there]) for (const n of [1, 2]) await each.execute(grant(`later-${n}`, 100n));
    for (const each of [writer, there]) await each.execute({ ...grant('last', 100n), key: key('pushes them out') });

    const given = writer.execute(request);
    await eventually(() => answer);
    lost.append = () => {
      failOver();
      return Promise.reject(new AppendOutcomeUnknown('the connection broke'));
    };
    await expect(writer.execute(grant('cyd', 100n))).rejects.toThrow(LedgerOutcomeUnknown);
    answer?.({ through: 4, found: new Map() });
    expect(accepted(await given)).toMatchObject({ repeated: true, revision: use.revision });
    expect(await recordedIn(standBy)).toHaveLength(5);
  });

  it('are looked for although they were still inside when the command came', async () => {
    const clock = new ManualClock();
    const writer = await startWriter({ clock });
    const send = (value: string) =>
      writer.execute({ command: gift('ada', 'bob'), actor: 'member:ada', key: key(value) });
    await writer.execute(grant('ada', 50_000_00n));
    await send('first');
    clock.ms += 49 * HOUR;
    const outcomes = await Promise.all([send('pushes the first one out'), send('came with it'), send('and this')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'accepted']);
  });

  it('answer BUSY, never a second effect, while the index is behind the window', async () => {
    let through = Number.MAX_SAFE_INTEGER;
    const find: KeyIndex['find'] = () => Promise.resolve({ through, found: new Map() });
    const { writer, request, store } = await withEvictedKey({ find });
    through = 0;
    const before = writer.revision;
    const head = jest.spyOn(store, 'head');
    await expect(writer.execute(request)).rejects.toThrow(LedgerBusy);
    expect(writer.revision).toBe(before);
    // Nothing rests on the head: a batch that nobody waits for would be taken for none, and meet what follows the others.
    expect(head).not.toHaveBeenCalled();
  });

  it('answer BUSY while the index does not answer', async () => {
    let broken = false;
    const { writer, request } = await withEvictedKey({
      find: (hashes) => (broken ? Promise.reject(new Error('down')) : emptyIndex.find(hashes)),
    });
    broken = true;
    await expect(writer.execute(request)).rejects.toThrow(LedgerBusy);
  });

  it('do not keep a writer from ending where the index fails', async () => {
    let isHeld = false;
    let fail: ((error: Error) => void) | undefined;
    const { writer, request } = await withEvictedKey({
      find: (hashes) => (isHeld ? new Promise((_, reject) => (fail = reject)) : emptyIndex.find(hashes)),
    });
    isHeld = true;
    const refused = expect(writer.execute(request)).rejects.toThrow(LedgerBusy);
    await eventually(() => fail);
    const stopped = writer.stop();
    fail?.(new Error('down'));
    await refused;
    await stopped;
    expect(writer.backlog).toBe(0);
  });

  it('ask nothing for a fresh UUIDv7', async () => {
    let asked = 0;
    const { writer, clock } = await withEvictedKey({
      find: (hashes) => {
        asked += 1;
        return emptyIndex.find(hashes);
      },
    });
    const before = asked;
    clock.ms += HOUR;
    const fresh = key(uuidV7({ msecs: clock.ms }));
    expect((await writer.execute({ command: gift('ada', 'bob'), actor: 'member:ada', key: fresh })).status).toBe(
      'accepted',
    );
    expect(asked).toBe(before);
  });
});

describe('the journal on disk', () => {
  it('holds the fields that the codec promises', async () => {
    const store = new MemoryEventStore();
    const writer = await startWriter({ store });
    await writer.execute({ ...grant('ada', 100n), cause: 'request-1' });
    const head = await store.head(LEDGER_STREAM);
    const stored = JSON.parse(head?.data ?? '{}') as Partial<LedgerEvent>;
    expect(stored).toMatchObject({ actor: 'admin:admin', cause: 'request-1', amount: '100' });
    expect(head?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

/** A lock that is given in the order of asking, as Postgres gives it. */
class Turns {
  readonly order: string[] = [];
  holders = 0;
  private readonly waiting: (() => void)[] = [];

  of(name: string): WritingTurn {
    return {
      ...noTurns,
      take: async () => {
        if (this.holders > 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
        else this.holders += 1;
        this.order.push(name);
        return undefined;
      },
      isWanted: () => Promise.resolve(this.holders > 0),
      pass: () => {
        const next = this.waiting.shift();
        if (next) next();
        else this.holders -= 1;
      },
    };
  }
}
