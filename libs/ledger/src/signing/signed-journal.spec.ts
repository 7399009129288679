import { generateKeyPairSync } from 'node:crypto';
import { encodeLedgerEvent, LEDGER_STREAM, type LedgerEvent } from '@app/domain';
import {
  type EventBatches,
  MemoryEventStore,
  type NewEvent,
  type RecordedEvent,
  type SubscribeOptions,
} from '@app/event-store';
import { v7 as uuidv7 } from 'uuid';
import { eventually } from '../../../../test/support/eventually.js';
import { printEnvelope, readEnvelope } from '../envelope.js';
import { chainHash, eventIdOf, GENESIS_HASH } from '../hash-chain.js';
import { EMPTY_HEAD, StoreJournal, type StoreJournalOptions } from '../journal-reader.js';
import type { LedgerWriterOptions } from '../ledger-writer.js';
import { AdversarialStore, type Fate } from '../testing/adversarial-store.js';
import { SnapshotFollower } from '../snapshot-follower.js';
import type { PostgresSnapshots } from '../snapshots.js';
import { gift, grant, startWriter } from '../testing/writers.js';
import { noTurns, type WritingTurn } from '../turn.js';
import { type CommandOutcome, LedgerBusy } from '../writer-port.js';
import { isSignedBy, keyIdOf, RANGE_EVENTS_MAX, rangeText, takeoverText } from './range.js';
import { ForgedEvent, RangeReader } from './range-reader.js';
import { SignedStore } from './signed-store.js';
import { JournalSigner, SigningKeyMissing, SigningUnknown } from './signer.js';

const JOURNAL = '5b1c0e8f6a7d4c219e3f00112233aabb';
const OTHER_JOURNAL = '0'.repeat(32);
const CORRELATION = '7f0c3a52-7d4e-4a0b-9a3e-0d1f5f4c2b11';
const newSigner = () => new JournalSigner(generateKeyPairSync('ed25519').privateKey);
const ours = newSigner();
const theirs = newSigner();
const next = newSigner();
const trust = [{ journal: JOURNAL, publicKey: ours.publicKey, from: 2 }];

const signing = (...signers: JournalSigner[]): Partial<LedgerWriterOptions> => ({
  envelope: 2,
  signerFor: (publicKey) => signers.find((signer) => signer.publicKey === publicKey),
});
const begin = (journal = JOURNAL, publicKey = ours.publicKey) => ({
  command: { type: 'BeginSigning', journal, publicKey } as const,
  actor: 'terminal',
});
const rotate = (to: JournalSigner, from = ours) => ({
  command: {
    type: 'ChangeSigningKey',
    publicKey: to.publicKey,
    proof: to.proofFor({ journal: JOURNAL, publicKey: from.publicKey }),
  } as const,
  actor: 'terminal',
});
const accepted = (outcome: CommandOutcome) => {
  if (outcome.status !== 'accepted') throw new Error(`not accepted: ${outcome.status}`);
  return outcome;
};

/** Two events of before, the beginning at revision 2, then ranges 3 to 5 and 6 to 7. */
async function signedJournal(): Promise<MemoryEventStore> {
  const store = new MemoryEventStore();
  const unsigned = await startWriter({ store });
  await unsigned.execute(grant('ada', 9_000_00n));
  await unsigned.execute(grant('bob', 9_000_00n));
  const writer = await startWriter({ store, ...signing(ours) });
  accepted(await writer.execute(begin()));
  await Promise.all([1n, 2n, 3n].map((amount) => writer.execute(grant('cem', amount))));
  await Promise.all([4n, 5n].map((amount) => writer.execute(grant('dov', amount))));
  return store;
}

async function eventsOf(store: MemoryEventStore): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const batch of store.readStream(LEDGER_STREAM)) events.push(...batch);
  return events;
}

async function storeOf(events: readonly NewEvent[]): Promise<MemoryEventStore> {
  const store = new MemoryEventStore();
  for (const [revision, { id, type, data, metadata }] of events.entries()) {
    await store.append(LEDGER_STREAM, [{ id, type, data, metadata }], revision === 0 ? 'none' : revision - 1);
  }
  return store;
}

/** How far a journal can be followed, and what then is in the way. */
async function followed(store: MemoryEventStore, options: StoreJournalOptions = { trust }) {
  let last = -1;
  try {
    for await (const batch of new StoreJournal(store, options).linked(EMPTY_HEAD))
      last = batch.at(-1)?.revision ?? last;
  } catch (error) {
    if (error instanceof ForgedEvent) return { last, forged: error.revision };
    throw error;
  }
  return { last };
}

/** An event that everything is right with but who wrote it: the rules, the chain, the id. */
function forged(before: NewEvent | undefined, revision: number, metadata = (hash: string) => bare(hash)): NewEvent {
  const event: LedgerEvent = {
    type: 'NovaGranted',
    at: Date.UTC(2026, 0, 1),
    actor: 'admin:admin',
    nonce: uuidv7(),
    userId: 'mal',
    adminId: 'admin',
    amount: 1_000_000_00n,
    entries: [
      ['issuance:NOVA', 'NOVA', -1_000_000_00n],
      ['user:mal:earned', 'NOVA', 1_000_000_00n],
    ],
  };
  const data = encodeLedgerEvent(event);
  const hash = chainHash(before ? hashIn(before) : GENESIS_HASH, revision, event.type, data);
  return { id: eventIdOf(hash, revision), type: event.type, data, metadata: metadata(hash) };
}

const hashIn = ({ metadata }: NewEvent): string => readEnvelope(metadata)?.hash ?? '';
const bare = (hash: string): string => printEnvelope({ hash, correlationId: CORRELATION });

/** A forged event at the end that carries a signature, as a forger with a key of their own could make it. */
function sealedBy(
  signer: JournalSigner,
  events: readonly NewEvent[],
  journal = JOURNAL,
  first = events.length,
): NewEvent {
  const event = forged(events.at(-1), events.length);
  return signer.seal(journal, first, [event]);
}

const withMetadata = (events: readonly NewEvent[], place: number, change: (metadata: string) => string): NewEvent[] =>
  events.map((event, at) => (at === place ? { ...event, metadata: change(event.metadata) } : event));

describe('a signed journal', () => {
  it('is followed to its end, whole ranges at a time, by whoever trusts its beginning', async () => {
    const store = await signedJournal();
    expect(await followed(store)).toEqual({ last: 7 });
    expect(await followed(store, { trust, isEverySignature: true })).toEqual({ last: 7 });
    expect(await followed(store, {})).toEqual({ last: 7 });
    const marks = (await eventsOf(store)).map(({ metadata }) => readEnvelope(metadata)?.range?.first);
    expect(marks).toEqual([undefined, undefined, 2, undefined, undefined, 3, undefined, 6]);
  });

  it('is told of as far as whole ranges were read, wherever reads are cut', async () => {
    const store = await signedJournal();
    const events = (await eventsOf(store)).map(({ revision, type, data, metadata, id }) => ({
      revision,
      type,
      data,
      metadata,
      hash: hashIn({ id, type, data, metadata }),
    }));
    const reader = new RangeReader({ signing: undefined, trust });
    const told = events.map((event) => reader.take([event]).map(({ revision }) => revision));
    expect(told).toEqual([[0], [1], [2], [], [], [3, 4, 5], [], [6, 7]]);
  });

  it.each([3, 4, 5, 6])('is followed from the middle of a range and up to it: revision %d', async (revision) => {
    const store = await signedJournal();
    const journal = new StoreJournal(store, { trust });
    const upTo: number[] = [];
    for await (const batch of journal.linked(EMPTY_HEAD, { upTo: revision }))
      upTo.push(...batch.map((e) => e.revision));
    expect(upTo.at(-1)).toBe(revision);
    const head = { revision, hash: hashIn((await eventsOf(store))[revision]!) };
    const after: number[] = [];
    const holds = { journal: JOURNAL, publicKey: ours.publicKey, since: 2 };
    for await (const batch of journal.linked(head, { signing: holds })) after.push(...batch.map((e) => e.revision));
    expect(after).toEqual([4, 5, 6, 7].filter((later) => later > revision));
  });

  const attacks: [string, number, (events: NewEvent[]) => NewEvent[]][] = [
    ['an event without a signature at its end', 8, (events) => [...events, forged(events.at(-1), 8)]],
    [
      'an event as the first version has it',
      8,
      (events) => [...events, forged(events.at(-1), 8, (hash) => printEnvelope({ hash }))],
    ],
    ['an event whose chain is wrong', 8, (events) => [...events, forged(events[2], 8)]],
    ['an event without metadata', 8, (events) => [...events, forged(events.at(-1), 8, () => '')]],
    ['a signature by an unknown key', 8, (events) => [...events, sealedBy(theirs, events)]],
    ['a signature for another journal', 8, (events) => [...events, sealedBy(ours, events, OTHER_JOURNAL)]],
    ['a range that begins too early', 8, (events) => [...events, sealedBy(ours, events, JOURNAL, 7)]],
    ['a range that begins too late', 8, (events) => [...events, sealedBy(ours, events, JOURNAL, 9)]],
    [
      'a range that leaves an event out',
      8,
      (events) => {
        const unsigned = forged(events.at(-1), 8);
        return [...events, unsigned, sealedBy(ours, [...events, unsigned])];
      },
    ],
    [
      "another range's signature",
      8,
      (events) => {
        const range = readEnvelope(events[7]?.metadata ?? '')?.range;
        const event = forged(events.at(-1), 8, (hash) => printEnvelope({ hash, correlationId: CORRELATION, range }));
        return [...events, event];
      },
    ],
    ['a correlation id that was changed', 6, (events) => withMetadata(events, 6, () => bare(hashIn(events[6]!)))],
    [
      'a further field',
      6,
      (events) => withMetadata(events, 7, (metadata) => metadata.replace('"first"', '"more":1,"first"')),
    ],
    [
      'a field twice',
      6,
      (events) => withMetadata(events, 7, (metadata) => metadata.replace('"first":6', '"first":6,"first":6')),
    ],
    [
      'a signature in another spelling of base64url',
      6,
      (events) =>
        withMetadata(events, 7, (metadata) =>
          metadata.replace(/(.)"\}$/, (_, last: string) => `${spelledAgain(last)}"}`),
        ),
    ],
    ['a signature that was taken away', 6, (events) => withMetadata(events, 7, () => bare(hashIn(events[7]!)))],
    ...['SigningBegan', 'SigningKeyChanged'].map((type): (typeof attacks)[number] => [
      `a ${type} that cannot be read`,
      8,
      (events) => {
        const event = chained(events.at(-1), 8, ledgerEvent({ type }), undefined, {
          id: '',
          type,
          data: '{}',
          metadata: '',
        });
        return [...events, ours.seal(JOURNAL, 8, [event])];
      },
    ]),
    [
      'a change to what is no key',
      8,
      (events) => {
        const changed = ledgerEvent({ type: 'SigningKeyChanged', publicKey: 'none', proof: 'none' });
        return [...events, ours.seal(JOURNAL, 8, [chained(events.at(-1), 8, changed)])];
      },
    ],
    [
      'a second beginning',
      8,
      (events) => {
        const event = ledgerEvent({ type: 'SigningBegan', journal: OTHER_JOURNAL, publicKey: theirs.publicKey });
        const began = chained(events.at(-1), 8, event);
        return [...events, theirs.seal(OTHER_JOURNAL, 8, [began])];
      },
    ],
    [
      'a change to a key of theirs that they signed themselves',
      8,
      (events) => {
        const proof = theirs.proofFor({ journal: JOURNAL, publicKey: ours.publicKey });
        const changed = ledgerEvent({ type: 'SigningKeyChanged', publicKey: theirs.publicKey, proof });
        const change = theirs.seal(JOURNAL, 8, [chained(events.at(-1), 8, changed)]);
        const after = [...events, change];
        return [...after, sealedBy(theirs, after)];
      },
    ],
    [
      "a change that claims to be the journal's own",
      8,
      (events) => {
        const proof = theirs.proofFor({ journal: JOURNAL, publicKey: ours.publicKey });
        const changed = ledgerEvent({ type: 'SigningKeyChanged', publicKey: theirs.publicKey, proof });
        const key = keyIdOf(ours.publicKey);
        const { sig = '' } = readEnvelope(events[7]?.metadata ?? '')?.range ?? {};
        const event = chained(events.at(-1), 8, changed, (hash) =>
          printEnvelope({ hash, correlationId: CORRELATION, range: { first: 8, key, sig } }),
        );
        const after = [...events, event];
        return [...after, sealedBy(theirs, after)];
      },
    ],
  ];

  it.each(attacks)('is not followed into %s (revision %d), and no event before it is lost', async (_, at, attack) => {
    const events = await eventsOf(await signedJournal());
    const store = await storeOf(attack(events));
    const known = { last: at - 1, forged: at };
    expect(await followed(store)).toEqual(known);
    expect(await followed(store, { trust, isEverySignature: true })).toEqual(known);
  });

  it.each(attacks)(
    'tells readers of all streams all before %s (revision %d), and nothing after',
    async (_, at, attack) => {
      const store = await storeOf(attack(await eventsOf(await signedJournal())));
      await store.append('chat-1', [note('after')], 'none');
      const told: string[] = [];
      const reading = (async () => {
        for await (const batch of new SignedStore(store, { trust }).readAll()) told.push(...batch.map(nameOf));
      })();
      await expect(reading).rejects.toMatchObject({ name: 'ForgedEvent', revision: at });
      expect(told).toEqual(Array.from({ length: at }, (_event, revision) => `ledger@${revision}`));
    },
  );

  it.each(attacks)(
    'is read by itself up to %s (revision %d) and no further, from wherever one begins',
    async (_, at, attack) => {
      const events = attack(await eventsOf(await signedJournal()));
      const signed = new SignedStore(await storeOf(events), { trust });
      for (const from of [-1, 0, 1, 3, 5].filter((revision) => revision < at)) {
        const head = from < 0 ? EMPTY_HEAD : { revision: from, hash: hashIn(events[from]!) };
        const told: number[] = [];
        const reading = (async () => {
          for await (const batch of signed.linked(head)) told.push(...batch.map(({ revision }) => revision));
        })();
        await expect(reading).rejects.toMatchObject({ name: 'ForgedEvent', revision: at });
        expect(told).toEqual(Array.from({ length: at - from - 1 }, (_event, place) => from + 1 + place));
      }
    },
  );

  it('is told to readers of all streams in its order, from wherever they begin', async () => {
    const events = await eventsOf(await signedJournal());
    const store = await storeOf(events.slice(0, 6));
    await store.append('chat-1', [note('between')], 'none');
    for (const { id, type, data, metadata } of events.slice(6)) {
      const { revision = -1 } = (await store.head(LEDGER_STREAM)) ?? {};
      await store.append(LEDGER_STREAM, [{ id, type, data, metadata }], revision);
    }
    const all = ['0', '1', '2', '3', '4', '5', 'chat', '6', '7'];
    const names = all.map((name) => (name === 'chat' ? 'chat-1@0' : `ledger@${name}`));
    const signed = new SignedStore(store, { trust });
    expect(await collect(signed.readAll())).toEqual(names);
    for (const [place] of names.entries()) {
      expect(await collect(signed.readAll({ after: BigInt(place) }))).toEqual(names.slice(place + 1));
    }
    expect(await collect(signed.readAll({ streamPrefixes: ['chat-'] }))).toEqual(['chat-1@0']);
  });

  it('goes on for readers of all streams exactly where its key was changed', async () => {
    const rotated = [...trust, { journal: JOURNAL, publicKey: next.publicKey, from: 9 }];
    const store = await signedJournal();
    const writer = await startWriter({ store, ...signing(ours, next), trust: rotated });
    await writer.execute(rotate(next));
    await writer.execute(grant('ada', 1n));
    const { position = -1n } = (await eventsOf(store))[8] ?? {};
    const signed = new SignedStore(store, { trust: rotated });
    expect(await collect(signed.readAll({ after: position }))).toEqual(['ledger@9']);
  });

  it('goes on for readers of all streams when something signed takes the place of what was not', async () => {
    const store = await storeOf((await eventsOf(await signedJournal())).slice(0, 6));
    const ending = new AbortController();
    const told: string[] = [];
    const reading = (async () => {
      const signed = new SignedStore(onceForged(store, 6), { trust }, 5);
      for await (const batch of signed.subscribeAll({ signal: ending.signal })) told.push(...batch.map(nameOf));
    })();
    const writer = await startWriter({ store, ...signing(ours), trust });
    accepted(await writer.execute(grant('ada', 1n)));
    await eventually(() => told.includes('ledger@6'));
    ending.abort();
    await reading;
    expect(told).toEqual([0, 1, 2, 3, 4, 5, 6].map((revision) => `ledger@${revision}`));
  });

  it('is copied into snapshots as far as it is signed', async () => {
    const events = await eventsOf(await signedJournal());
    const store = await storeOf([...events, forged(events.at(-1), 8)]);
    const save = jest.fn();
    const snapshots = { newest: async () => undefined, save } as unknown as PostgresSnapshots;
    const follower = new SnapshotFollower({ store, snapshots, trust, everyEvents: 1 });
    expect([await follower.advance(), await follower.advance()]).toEqual([7, 7]);
    expect(save).toHaveBeenCalledTimes(1);
  });

  it('must begin where and as we know it', async () => {
    const events = await eventsOf(await signedJournal());
    const [first, second] = events;
    expect(await followed(await storeOf([first!, second!, forged(second, 2)]))).toEqual({ last: 1, forged: 2 });
    const another = [{ journal: JOURNAL, publicKey: theirs.publicKey, from: 2 }];
    expect(await followed(await storeOf(events), { trust: another })).toEqual({ last: 1, forged: 2 });
  });

  it('has no range without an end', () => {
    const holds = { journal: JOURNAL, publicKey: ours.publicKey, since: 0 };
    const reader = new RangeReader({ signing: holds, trust: undefined });
    const event = { type: 'NovaGranted', data: '', hash: GENESIS_HASH, metadata: bare(GENESIS_HASH) };
    const many = Array.from({ length: RANGE_EVENTS_MAX + 1 }, (_, revision) => ({ ...event, revision }));
    expect(reader.take(many)).toEqual([]);
    expect(() => reader.throwIfForged()).toThrow('revision 0 is in a range that does not end');
  });

  it('names every line of what it signs: one that differs is noticed', () => {
    const range = { stream: LEDGER_STREAM, first: 341, last: 342, hash: 'b8', metadata: ['a', 'b'] };
    const identity = { journal: JOURNAL, publicKey: ours.publicKey };
    const text = rangeText(identity, range);
    const others = [
      rangeText({ ...identity, journal: OTHER_JOURNAL }, range),
      rangeText({ ...identity, publicKey: theirs.publicKey }, range),
      rangeText(identity, { ...range, stream: 'ledger2' }),
      rangeText(identity, { ...range, first: 340 }),
      rangeText(identity, { ...range, last: 343 }),
      rangeText(identity, { ...range, hash: 'b9' }),
      rangeText(identity, { ...range, metadata: ['a', 'c'] }),
      rangeText(identity, { ...range, metadata: ['a'] }),
      takeoverText(identity, theirs.publicKey),
    ];
    expect(new Set([text, ...others]).size).toBe(others.length + 1);
    expect(text.split('\n')).toHaveLength(8);
  });
});

describe('the writer of a signed journal', () => {
  it('signs from the beginning on, also what another server wrote before it, and reads its own again', async () => {
    const store = await signedJournal();
    const writer = await startWriter({ store, ...signing(ours), trust });
    const outcome = accepted(await writer.execute({ command: gift('ada', 'bob'), actor: 'member:ada' }));
    expect(outcome.revision).toBe(8);
    expect(await followed(store)).toEqual({ last: 8 });
    expect(writer.signing).toEqual({ journal: JOURNAL, publicKey: ours.publicKey, since: 2 });
  });

  it('refuses at once what its keys cannot sign, and writes on', async () => {
    const store = new MemoryEventStore();
    const writer = await startWriter({ store, ...signing(ours) });
    const beginning = writer.execute({ ...begin(JOURNAL, theirs.publicKey), timeoutMs: 60_000 });
    await expect(beginning).rejects.toMatchObject({ code: 'JOURNAL_STOPPED' });
    expect(accepted(await writer.execute(grant('ada', 1n))).revision).toBe(0);
  });

  it('does not start without the key', async () => {
    const store = await signedJournal();
    await expect(startWriter({ store, ...signing(theirs), trust })).rejects.toBeInstanceOf(SigningKeyMissing);
  });

  it.each([
    ['another key', [{ journal: JOURNAL, publicKey: ours.publicKey, from: 1 }]],
    ['another journal', [{ journal: OTHER_JOURNAL, publicKey: ours.publicKey, from: 2 }]],
    ['a key that it does not have yet', [...trust, { journal: JOURNAL, publicKey: ours.publicKey, from: 8 }]],
    ['a beginning that is still to come', [{ journal: JOURNAL, publicKey: ours.publicKey, from: 8 }]],
  ])('does not start where %s is known', async (_, known) => {
    const store = await storeOf((await eventsOf(await signedJournal())).slice(0, known[0]?.from === 8 ? 2 : 8));
    await expect(startWriter({ store, ...signing(ours), trust: known })).rejects.toBeInstanceOf(SigningUnknown);
  });

  it('follows nothing in its turn either that only its own word signs', async () => {
    const store = await signedJournal();
    const writer = await startWriter({ store, ...signing(ours, theirs), trust, turn: readingTurn(store) });
    const before = await eventsOf(store);
    const began = ledgerEvent({ type: 'SigningBegan', journal: OTHER_JOURNAL, publicKey: theirs.publicKey });
    const event = chained(before.at(-1), 8, began);
    const after = forged(event, 9);
    await store.append(LEDGER_STREAM, [event, theirs.seal(OTHER_JOURNAL, 8, [event, after])], 7);
    await expect(writer.execute(grant('ada', 1n))).rejects.toMatchObject({ code: 'JOURNAL_STOPPED' });
    expect(writer.revision).toBe(7);
  });

  it('begins once for a journal', async () => {
    const store = await signedJournal();
    const writer = await startWriter({ store, ...signing(ours), trust });
    expect(await writer.execute(begin())).toMatchObject({ status: 'refused', rejection: { code: 'ALREADY_SIGNED' } });
  });

  it('begins anew where the key is lost, with that command alone, and is followed by whoever is told', async () => {
    const store = await signedJournal();
    const known = [...trust, { journal: OTHER_JOURNAL, publicKey: theirs.publicKey, from: 8 }];
    const lost = await startWriter({ store, ...signing(theirs), trust, isKeyLost: true });
    expect(accepted(await lost.execute(begin(OTHER_JOURNAL, theirs.publicKey))).revision).toBe(8);
    const writer = await startWriter({ store, ...signing(theirs), trust: known });
    expect(accepted(await writer.execute(grant('ada', 1n))).revision).toBe(9);
    expect(await followed(store, { trust: known, isEverySignature: true })).toEqual({ last: 9 });
    expect(await collect(new SignedStore(store, { trust: known }).readAll({ after: 7n }))).toHaveLength(2);
    for (const others of [trust, undefined]) {
      expect(await followed(store, { trust: others })).toEqual({ last: 7, forged: 8 });
    }
    const nothing = await startWriter({ store, ...signing(ours), trust: known, isKeyLost: true });
    await expect(nothing.execute(grant('ada', 1n))).rejects.toBeInstanceOf(LedgerBusy);
    expect((await store.head(LEDGER_STREAM))?.revision).toBe(9);
  });

  it('changes the key: what comes after is signed by the next one alone', async () => {
    const rotated = [...trust, { journal: JOURNAL, publicKey: next.publicKey, from: 9 }];
    const store = await signedJournal();
    const writer = await startWriter({ store, ...signing(ours, next), trust: rotated });
    const [changed, after] = await Promise.all([writer.execute(rotate(next)), writer.execute(grant('ada', 1n))]);
    expect([accepted(changed).revision, accepted(after).revision]).toEqual([8, 9]);
    expect(await followed(store, { trust: rotated, isEverySignature: true })).toEqual({ last: 9 });
    const keys = (await eventsOf(store)).slice(7).map(({ metadata }) => readEnvelope(metadata)?.range?.key);
    expect(keys).toEqual([ours, ours, next].map(({ publicKey }) => keyIdOf(publicKey)));

    // The retired key is worth nothing any more, and its change cannot be played again.
    const events = await eventsOf(store);
    expect(await followed(await storeOf([...events, sealedBy(ours, events)]), { trust: rotated })).toEqual({
      last: 9,
      forged: 10,
    });
    const replayed = chained(events.at(-1), 10, JSON.parse('{}') as LedgerEvent, undefined, events[8]);
    expect(await followed(await storeOf([...events, replayed]), { trust: rotated })).toEqual({ last: 9, forged: 10 });
    // Whoever was not told of it does not follow.
    expect(await followed(store)).toEqual({ last: 8, forged: 9 });
  });

  it('stops at a forged event, says where, ends nothing, and goes on when it is gone', async () => {
    const events = await eventsOf(await signedJournal());
    const good = await storeOf(events);
    const bad = await storeOf([...events, forged(events.at(-1), 8)]);
    let current = good;
    const store = new Proxy(good, {
      get: (_, name) => {
        const value: unknown = Reflect.get(current, name);
        return typeof value === 'function' ? value.bind(current) : value;
      },
    });
    const fatal: unknown[] = [];
    const reasons: string[] = [];
    const writer = await startWriter({
      store,
      trust,
      ...signing(ours),
      onFatal: (error) => fatal.push(error),
      onHalt: ({ message }) => reasons.push(message),
    });
    current = bad;
    // Whether an idle look or the command finds it first.
    await expect(writer.execute(grant('ada', 1n))).rejects.toMatchObject({ code: 'JOURNAL_STOPPED' });
    await expect(writer.execute(grant('ada', 1n))).rejects.toMatchObject({ code: 'JOURNAL_STOPPED' });
    expect(writer.halted).toBe('revision 8 is signed by nobody');
    expect(writer.revision).toBe(7);
    current = good;
    await eventually(() => writer.halted === undefined);
    expect(accepted(await writer.execute(grant('ada', 1n))).revision).toBe(8);
    expect([fatal, reasons]).toEqual([[], ['revision 8 is signed by nobody']]);
  });

  it('starts on a journal that goes on with a forged event, and writes nothing', async () => {
    const events = await eventsOf(await signedJournal());
    const store = await storeOf([...events, forged(events.at(-1), 8)]);
    const writer = await startWriter({ store, ...signing(ours), trust });
    await expect(writer.execute(grant('ada', 1n))).rejects.toMatchObject({ code: 'JOURNAL_STOPPED' });
    expect(writer.revision).toBe(7);
  });

  it('never takes another server’s batch for its own, though both decide one keyed command at once', async () => {
    const store = await signedJournal();
    const writers = await Promise.all([1, 2].map(() => startWriter({ store, ...signing(ours), trust })));
    const command = {
      command: gift('ada', 'bob'),
      actor: 'member:ada',
      key: { scope: 'member:ada:gifts', value: 'k' },
    };
    const outcomes = await Promise.all(writers.map((writer) => writer.execute(command)));
    expect(outcomes.map((outcome) => accepted(outcome).revision)).toEqual([8, 8]);
    expect(outcomes.filter((outcome) => accepted(outcome).repeated)).toHaveLength(1);
    expect(await followed(store, { trust, isEverySignature: true })).toEqual({ last: 8 });
  });

  it('signs an append once: repeated after lost answers it is the same', async () => {
    const inner = await signedJournal();
    const fates: Fate[] = [
      'lose-answer',
      'lose-request',
      'deliver-late',
      'unavailable',
      'deliver',
      'deliver',
      'deliver',
    ];
    const store = new AdversarialStore(inner, () => fates[Math.floor(Math.random() * fates.length)] ?? 'deliver');
    const writer = await startWriter({ store, retryMs: 1, ...signing(ours), trust });
    for (let n = 0; n < 12; n += 1) accepted(await writer.execute(grant('ada', 1n)));
    expect(await followed(inner, { trust, isEverySignature: true })).toEqual({ last: 19 });
  });
});

const nameOf = ({ stream, revision }: RecordedEvent): string => `${stream}@${revision}`;
const note = (text: string): NewEvent => ({ id: uuidv7(), type: 'Noted', data: JSON.stringify(text), metadata: '{}' });

async function collect(batches: EventBatches): Promise<string[]> {
  const names: string[] = [];
  for await (const batch of batches) names.push(...batch.map(nameOf));
  return names;
}

/** Tells of a forged event at a revision first, as if somebody had deleted it afterwards. */
function onceForged(store: MemoryEventStore, revision: number): MemoryEventStore {
  return new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (name !== 'subscribeAll') return typeof value === 'function' ? value.bind(target) : value;
      return async function* (options: SubscribeOptions) {
        for await (const batch of target.subscribeAll(options)) {
          const before = batch.findLast((event) => event.revision === revision - 1);
          yield batch;
          if (!before) continue;
          const event = forged(before, revision);
          yield [{ ...event, stream: LEDGER_STREAM, revision, position: before.position }];
        }
      };
    },
  });
}

/** Reads what is new with the turn, as Postgres does. */
const readingTurn = (store: MemoryEventStore): WritingTurn => ({
  ...noTurns,
  async take(from) {
    const read: RecordedEvent[] = [];
    for await (const batch of store.readStream(LEDGER_STREAM, { from })) read.push(...batch);
    return read;
  },
});

/** The last digit of a signature holds two bits that count and four that do not. */
function spelledAgain(digit: string): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return digits[digits.indexOf(digit) ^ 1] ?? '';
}

function ledgerEvent(fact: Record<string, unknown>): LedgerEvent {
  const stamp = { at: Date.UTC(2026, 0, 1), actor: 'terminal', nonce: uuidv7(), entries: [] };
  return { ...stamp, ...fact } as unknown as LedgerEvent;
}

/** Behind another event; `like` gives it type and data. */
function chained(
  before: NewEvent | undefined,
  revision: number,
  event: LedgerEvent,
  metadata = bare,
  like?: NewEvent,
): NewEvent {
  const data = like?.data ?? encodeLedgerEvent(event);
  const type = like?.type ?? event.type;
  const hash = chainHash(before ? hashIn(before) : GENESIS_HASH, revision, type, data);
  const range = like && readEnvelope(like.metadata)?.range;
  const text = range
    ? printEnvelope({ hash, correlationId: CORRELATION, range: { ...range, first: revision } })
    : metadata(hash);
  return { id: eventIdOf(hash, revision), type, data, metadata: text };
}

it('base64url is taken in one spelling', () => {
  const sig = ours.proofFor({ journal: JOURNAL, publicKey: theirs.publicKey });
  const text = takeoverText({ journal: JOURNAL, publicKey: theirs.publicKey }, ours.publicKey);
  expect(isSignedBy(ours.publicKey, text, sig)).toBe(true);
  expect(isSignedBy(ours.publicKey, text, `${sig.slice(0, -1)}${spelledAgain(sig.slice(-1))}`)).toBe(false);
});
