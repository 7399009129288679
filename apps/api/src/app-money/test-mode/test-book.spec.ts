import { generateKeyPairSync } from 'node:crypto';
import { DAY_MS, LEDGER_STREAM, TEST_EVENTS_AT_FIRST, testClientIdOf, testDataOf, testStreamOf } from '@app/domain';
import { type EventStore, MemoryEventStore, StoreUnavailable } from '@app/event-store';
import { type CommandRequest, JournalSigner, SignedStore } from '@app/ledger';
import { ManualClock, startWriter } from '../../../../../libs/ledger/src/testing/writers.js';
import { testDeveloperId, testMembersOf } from '../../oauth/test-mode/test-members.js';
import { TestBook, type TestParties } from './test-book.js';

const partiesOf = (generation = 0): TestParties => {
  const clientId = testClientIdOf('a'.repeat(32));
  return {
    clientId,
    generation,
    developerId: testDeveloperId(clientId, generation),
    memberIds: testMembersOf(clientId, generation).map(({ id }) => id),
  };
};

describe('the ledger of an application in test mode', () => {
  const parties = partiesOf();
  const [ada = ''] = parties.memberIds;
  let store: EventStore;
  let clock: ManualClock;
  let books: TestBook[];

  const open = async (eventsMax?: number, from = store): Promise<TestBook> => {
    const onBroken = () => {
      throw new Error('broken');
    };
    const book = await TestBook.open({ store: from, clock, envelope: 2, parties, eventsMax, onBroken });
    books.push(book);
    return book;
  };
  const earn = (value?: string): CommandRequest => ({
    command: { type: 'EarnAppTokens', clientId: parties.clientId, userId: ada, amount: 1n },
    actor: `app:${parties.clientId}`,
    ...(value === undefined ? {} : { key: { scope: 'app', value } }),
  });
  const count = async () => ((await store.head(testStreamOf(parties)))?.revision ?? -1) + 1;

  beforeEach(() => {
    store = new MemoryEventStore();
    clock = new ManualClock();
    books = [];
  });
  afterEach(() => Promise.all(books.map((book) => book.close())));

  it('begins once, whoever opens it and however often', async () => {
    await Promise.all([open(), open(), open()]);
    await open();
    expect(await count()).toBe(TEST_EVENTS_AT_FIRST);
  });

  it('begins to the end after a server stopped in the middle', async () => {
    const whole = await open();
    const events = [];
    for await (const batch of store.readStream(testStreamOf(parties), { limit: 2 })) events.push(...batch);
    const before = await whole.balances();
    store = new MemoryEventStore();
    await store.append(testStreamOf(parties), events, 'none');
    const book = await open();
    expect(await count()).toBe(TEST_EVENTS_AT_FIRST);
    expect((await book.balances()).novaBalance(ada)).toBe(before.novaBalance(ada));
  });

  it('reads on from where a read broke off', async () => {
    const book = await open();
    await book.execute(earn('first'));
    const whole = { balance: (await book.balances()).novaBalance(ada), movements: (await book.movements()).length };
    const flaky = Object.create(store) as EventStore;
    let isBroken = false;
    flaky.readStream = async function* (stream, options) {
      const from = options?.from ?? 0;
      yield* store.readStream(stream, { ...options, limit: 3 });
      if (isBroken) throw new StoreUnavailable('no quorum');
      yield* store.readStream(stream, { ...options, from: from + 3 });
    };
    const other = await open(undefined, flaky);
    isBroken = true;
    await expect(other.balances()).rejects.toBeInstanceOf(StoreUnavailable);
    isBroken = false;
    expect((await other.balances()).novaBalance(ada)).toBe(whole.balance);
    expect(await other.movements()).toHaveLength(whole.movements);
  });

  it('has no event more than it may, though two servers fill it at once', async () => {
    const [here, there] = [await open(20), await open(20)];
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, call) => (call % 2 === 0 ? here : there).execute(earn(`call ${call}`))),
    );
    expect(await count()).toBe(20);
    expect(outcomes.filter((outcome) => outcome.status === 'accepted')).toHaveLength(20 - TEST_EVENTS_AT_FIRST);
    const refused = outcomes.find((outcome) => outcome.status === 'refused');
    expect(refused).toMatchObject({ rejection: { code: 'TEST_EVENTS_LIMIT' } });
    const done = outcomes.findIndex((outcome) => outcome.status === 'accepted');
    const again = await here.execute(earn(`call ${done}`));
    expect(again).toMatchObject({ status: 'accepted', repeated: true });
  });

  it('knows a key that left the window days ago', async () => {
    const book = await open();
    const first = await book.execute(earn('a key that is no UUID'));
    clock.ms += 5 * DAY_MS;
    await book.execute(earn());
    const events = await count();
    expect(first).toMatchObject({ status: 'accepted', repeated: false });
    expect(await book.execute(earn('a key that is no UUID'))).toMatchObject({ status: 'accepted', repeated: true });
    expect(await (await open()).execute(earn('a key that is no UUID'))).toMatchObject({ repeated: true });
    expect(await count()).toBe(events);
  });

  it('is told to nobody who follows the journal', async () => {
    await open();
    const told = [];
    for await (const batch of store.readAll({ streamPrefixes: [LEDGER_STREAM] })) told.push(...batch);
    expect(told).toEqual([]);
  });

  it('begins anew in another generation, with other members', async () => {
    await open();
    const next = partiesOf(1);
    expect(testStreamOf(next)).not.toBe(testStreamOf(parties));
    expect(testDataOf(testStreamOf(next))).toEqual({ clientId: next.clientId, generation: 1 });
    expect(testDataOf(LEDGER_STREAM)).toBeUndefined();
    expect(next.memberIds.filter((id) => parties.memberIds.includes(id))).toEqual([]);
  });

  it('is signed where the journal is, bulks of 500 at once too', async () => {
    const signer = new JournalSigner(generateKeyPairSync('ed25519').privateKey);
    const { publicKey } = signer;
    const signerFor = (key: string) => (key === publicKey ? signer : undefined);
    const journal = 'b'.repeat(32);
    const writer = await startWriter({ store, clock, envelope: 2, signerFor });
    await writer.execute({ command: { type: 'BeginSigning', journal, publicKey }, actor: 'terminal' });
    await writer.stop();
    const unsigned: string[] = [];
    const signed = new SignedStore(store, {
      trust: [{ journal, publicKey, from: 0 }],
      signerFor,
      onUnsigned: ({ stream }) => unsigned.push(stream),
    });
    const book = await open(undefined, signed);
    const bulk: CommandRequest = {
      command: {
        type: 'EarnAppTokensInBulk',
        clientId: parties.clientId,
        payments: Array.from({ length: 500 }, () => ({ userId: ada, amount: 1n })),
      },
      actor: `app:${parties.clientId}`,
    };
    const outcomes = await Promise.all([book.execute(bulk), book.execute(bulk), book.execute(earn())]);
    expect(outcomes.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'accepted']);
    const again = await open(undefined, signed);
    expect((await again.movements()).length).toBe((await book.movements()).length);
    expect(unsigned).toEqual([]);
  });
});
