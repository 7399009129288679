import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { LEDGER_STREAM } from '@app/domain';
import {
  type EventBatches,
  type EventStore,
  MemoryEventStore,
  type NewEvent,
  type ReadOptions,
  type RecordedEvent,
} from '@app/event-store';
import fc from 'fast-check';
import { bareMetadata, markedMetadata, markOf } from '../envelope.js';
import { grant, startWriter } from '../testing/writers.js';
import { JournalStopped } from '../writer-port.js';
import { APPEND_EVENTS_MAX, appendText, keyIdOf } from './range.js';
import { SignedStore, type SignedStoreOptions } from './signed-store.js';
import { JournalSigner, SigningKeyMissing } from './signer.js';
import type { JournalTrust } from './trust.js';

const JOURNAL = '5b1c0e8f6a7d4c219e3f00112233aabb';
const newSigner = () => new JournalSigner(generateKeyPairSync('ed25519').privateKey);
const [ours, next, theirs] = [newSigner(), newSigner(), newSigner()];
const signerFor = (publicKey: string) => [ours, next].find((signer) => signer.publicKey === publicKey);
const CHAT = 'chat-1';

const newEvent = (text: string, metadata = `{"nova":2,"$correlationId":"${randomUUID()}","actor":"member:ada"}`) => ({
  id: randomUUID(),
  type: 'Said',
  data: JSON.stringify({ text }),
  metadata,
});
const eventsOf = (...texts: string[]): NewEvent[] => texts.map((text) => newEvent(text));

async function all(batches: EventBatches): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const batch of batches) events.push(...batch);
  return events;
}
const textOf = ({ data, isForeign }: RecordedEvent): string =>
  `${(JSON.parse(data) as { text: string }).text}${isForeign ? ' (foreign)' : ''}`;
const inChat = async (store: EventStore, options: ReadOptions = {}): Promise<string[]> =>
  (await all(store.readStream(CHAT, options))).map(textOf);
const ofAll = async (store: EventStore): Promise<string[]> =>
  (await all(store.readAll())).filter(({ stream }) => stream !== LEDGER_STREAM).map(textOf);

/** What a store holds once somebody with all rights has been there. */
function changedStore(store: EventStore, change: (event: RecordedEvent) => RecordedEvent): EventStore {
  const changed = async function* (batches: EventBatches): EventBatches {
    for await (const batch of batches)
      yield batch.map((event) => (event.stream === LEDGER_STREAM ? event : change(event)));
  };
  const over: Partial<EventStore> = {
    readStream: (stream, options) => changed(store.readStream(stream, options)),
    readAll: (options) => changed(store.readAll(options)),
    head: (stream) => store.head(stream),
  };
  return Object.assign(Object.create(store) as EventStore, over);
}

describe('signatures of other streams', () => {
  let stored: MemoryEventStore;
  let trust: JournalTrust;
  const told: string[] = [];
  const signedStore = (options: Partial<SignedStoreOptions> = {}, store: EventStore = stored) =>
    new SignedStore(store, {
      trust,
      signerFor,
      onUnsigned: ({ stream, revision }) => told.push(`${stream} ${revision}`),
      ...options,
    });

  beforeEach(async () => {
    stored = new MemoryEventStore();
    told.length = 0;
    await stored.append(CHAT, eventsOf('before'), 'none');
    const writer = await startWriter({ store: stored, envelope: 2, signerFor });
    const { publicKey } = ours;
    const command = { type: 'BeginSigning', journal: JOURNAL, publicKey, streams: 'all' } as const;
    await writer.execute({ command, actor: 'terminal' });
    trust = [{ journal: JOURNAL, publicKey, from: 0 }];
  });

  // By the first test key of RFC 8032.
  it('are of a text that stays as it is', () => {
    const d = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex').toString(
      'base64url',
    );
    const x = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex').toString(
      'base64url',
    );
    const signer = JournalSigner.of({ kty: 'OKP', crv: 'Ed25519', d, x });
    const metadata = '{"nova":2,"$correlationId":"7f0c3a52-7d4e-4a0b-9a3e-0d1f5f4c2b11","actor":"member:ada"}';
    const id = '0199f2a0-0000-7000-8000-000000000001';
    const event = { id, type: 'Said', data: '{"text":"a"}', metadata };
    const { events, text } = signer.sealAppend(JOURNAL, { stream: CHAT, first: 3, events: [event, event] });
    expect(text).toBe(
      [
        'nova-append-1',
        '5b1c0e8f6a7d4c219e3f00112233aabb',
        'db0c6fa03e5f46d4',
        'chat-1',
        '3',
        '2',
        'f5dc35c8bc3616c10617d367bdc0570cbf4728653c752dfe3142e5f279d4e168',
      ].join('\n'),
    );
    expect(events.map((one) => one.metadata)).toEqual([
      metadata,
      `${metadata.slice(0, -1)},"first":3,"key":"db0c6fa03e5f46d4","sig":"JqXOOBO5VlumkJV_BjXrXviIMNm4PPGdbec-dGzGT9yrssp1VDnR5Ni-75CjhblXBU7MZ57mDKWNKHdgjbqLCQ"}`,
    ]);
  });

  it('are made once an append, on its last event, and hide nothing of its metadata', async () => {
    const events = eventsOf('a', 'b');
    await signedStore().append(CHAT, events, 0);
    const [, a, b] = await all(stored.readStream(CHAT));
    expect(a?.metadata).toBe(events[0]?.metadata);
    const mark = markOf(b?.metadata ?? '');
    expect(mark).toMatchObject({ first: 1, key: keyIdOf(ours.publicKey) });
    expect(bareMetadata(b?.metadata ?? '')).toBe(events[1]?.metadata);
    expect(JSON.parse(b?.metadata ?? '')).toEqual({ ...JSON.parse(events[1]?.metadata ?? ''), ...mark });
  });

  it('let everything through that we wrote, and what is of before', async () => {
    await signedStore().append(CHAT, eventsOf('a', 'b'), 0);
    await signedStore().append(CHAT, eventsOf('c'), 2);
    const store = signedStore();
    expect(await inChat(store)).toEqual(['before', 'a', 'b', 'c']);
    expect(await ofAll(store)).toEqual(['before', 'a', 'b', 'c']);
    expect(store.unsigned).toEqual([]);
  });

  it('find an append wherever a read begins and ends, in both directions', async () => {
    let revision = 0;
    const texts = ['before'];
    for (const size of [1, 3, 2, 1, 4]) {
      const append = Array.from({ length: size }, (_, n) => `${revision}.${n}`);
      await signedStore().append(CHAT, eventsOf(...append), revision);
      revision += size;
      texts.push(...append);
    }
    const range = { from: fc.integer({ min: 0, max: 11 }), limit: fc.integer({ min: 1, max: 12 }) };
    await fc.assert(
      fc.asyncProperty(fc.record(range), async ({ from, limit }) => {
        expect(await inChat(signedStore(), { from, limit })).toEqual(texts.slice(from, from + limit));
        const backwards = await inChat(signedStore(), { from, limit, direction: 'backwards' });
        expect(backwards).toEqual(texts.slice(Math.max(0, from - limit + 1), from + 1).toReversed());
      }),
    );
  });

  it('pass over what nobody signed, tell of it once, and go on behind it', async () => {
    await signedStore().append(CHAT, eventsOf('a'), 0);
    await stored.append(CHAT, eventsOf('forged'), 1);
    const store = signedStore();
    expect(await inChat(store)).toEqual(['before', 'a', 'forged (foreign)']);
    await store.append(CHAT, eventsOf('b', 'c'), 2);
    expect(await inChat(store)).toEqual(['before', 'a', 'forged (foreign)', 'b', 'c']);
    expect(await ofAll(store)).toEqual(['before', 'a', 'b', 'c']);
    const ending = new AbortController();
    const followed: string[] = [];
    for await (const batch of store.subscribeAll({ streamPrefixes: ['chat-'], signal: ending.signal })) {
      followed.push(...batch.map(textOf));
      if (followed.includes('c')) break;
    }
    expect(followed).toEqual(['before', 'a', 'b', 'c']);
    expect(told).toEqual(['chat-1 2']);
    expect(store.unsigned).toEqual(['chat-1 revision 2']);
  });

  it('are asked for in a stream that begins later', async () => {
    await stored.append('chat-2', eventsOf('forged'), 'none');
    expect((await all(signedStore().readStream('chat-2'))).map(textOf)).toEqual(['forged (foreign)']);
  });

  it.each<[string, (event: RecordedEvent) => Partial<RecordedEvent>]>([
    ['its id', () => ({ id: randomUUID() })],
    ['its type', () => ({ type: 'Paid' })],
    ['its data', () => ({ data: '{"text":"changed"}' })],
    ['its metadata', ({ metadata }) => ({ metadata: metadata.replace('member:ada', 'member:bob') })],
    ['a field more', ({ metadata }) => ({ metadata: metadata.replace('{"nova":2,', '{"nova":2,"actor":"admin:x",') })],
    ['its stream', () => ({ stream: 'chat-9' })],
    ['its mark', ({ metadata }) => ({ metadata: bareMetadata(metadata) })],
    ['its mark’s first revision', ({ metadata }) => ({ metadata: metadata.replace('"first":1', '"first":0') })],
    ['its key', ({ metadata }) => ({ metadata: metadata.replace(keyIdOf(ours.publicKey), keyIdOf(next.publicKey)) })],
    ['a lenient signature', ({ metadata }) => ({ metadata: metadata.replace('"}', '="}') })],
  ])('cover %s', async (_, change) => {
    await signedStore().append(CHAT, eventsOf('a'), 0);
    const changed = changedStore(stored, (event) => (event.revision === 0 ? event : { ...event, ...change(event) }));
    const [, event] = await all(signedStore({}, changed).readStream(CHAT));
    expect(event?.isForeign).toBe(true);
  });

  it('cover the journal, the place and the number of events', async () => {
    const append = { stream: CHAT, first: 1, events: eventsOf('a') };
    const { publicKey } = ours;
    const texts = [
      appendText({ journal: JOURNAL, publicKey }, append),
      appendText({ journal: '0'.repeat(32), publicKey }, append),
      appendText({ journal: JOURNAL, publicKey: next.publicKey }, append),
      appendText({ journal: JOURNAL, publicKey }, { ...append, stream: 'chat-2' }),
      appendText({ journal: JOURNAL, publicKey }, { ...append, first: 2 }),
      appendText({ journal: JOURNAL, publicKey }, { ...append, events: [...append.events, ...append.events] }),
    ];
    expect(new Set(texts).size).toBe(texts.length);
    const [text] = texts as [string];
    for (const [place, line] of text.split('\n').entries()) {
      const others = texts.slice(1).map((other) => other.split('\n')[place]);
      if (place > 0) expect(others.some((other) => other !== line)).toBe(true);
    }
  });

  it('are no use in another place, and not to somebody else', async () => {
    const signed = signedStore();
    await signed.append(CHAT, eventsOf('a'), 0);
    const [, a] = await all(stored.readStream(CHAT));
    await stored.append(CHAT, [{ ...(a as RecordedEvent), id: randomUUID() }], 1);
    const event = newEvent('b');
    const text = appendText(
      { journal: JOURNAL, publicKey: theirs.publicKey },
      { stream: CHAT, first: 3, events: [event] },
    );
    const mark = { first: 3, key: keyIdOf(ours.publicKey), sig: theirs.sign(text) };
    await stored.append(CHAT, [{ ...event, metadata: markedMetadata(event.metadata, mark) }], 2);
    expect(await inChat(signedStore())).toEqual(['before', 'a', 'a (foreign)', 'b (foreign)']);
  });

  it('hold by the key of their time, and by the new one from its change on', async () => {
    await signedStore().append(CHAT, eventsOf('old key'), 0);
    const writer = await startWriter({ store: stored, envelope: 2, signerFor });
    const proof = next.proofFor({ journal: JOURNAL, publicKey: ours.publicKey });
    const change = { type: 'ChangeSigningKey', publicKey: next.publicKey, proof, streams: 'all' } as const;
    await writer.execute({ command: change, actor: 'terminal' });
    await signedStore().append(CHAT, eventsOf('by the old key'), 1);
    const changed = [...trust, { journal: JOURNAL, publicKey: next.publicKey, from: 2 }];
    await signedStore({ trust: changed }).append(CHAT, eventsOf('new key'), 2);
    await writer.execute(grant('ada', 1n));
    const read = await inChat(signedStore({ trust: changed }));
    expect(read).toEqual(['before', 'old key', 'by the old key (foreign)', 'new key']);
  });

  it('are not asked for while the key signs the ledger alone, and are from the next key on', async () => {
    stored = new MemoryEventStore();
    const writer = await startWriter({ store: stored, envelope: 2, signerFor });
    const { publicKey } = ours;
    await writer.execute({ command: { type: 'BeginSigning', journal: JOURNAL, publicKey }, actor: 'terminal' });
    await signedStore().append(CHAT, eventsOf('a'), 'none');
    expect(await inChat(signedStore())).toEqual(['a']);
    expect(markOf((await stored.head(CHAT))?.metadata ?? '')).toBeUndefined();
    const proof = next.proofFor({ journal: JOURNAL, publicKey });
    const change = { type: 'ChangeSigningKey', publicKey: next.publicKey, proof, streams: 'all' } as const;
    await writer.execute({ command: change, actor: 'terminal' });
    trust = [...trust, { journal: JOURNAL, publicKey: next.publicKey, from: 2 }];
    await stored.append(CHAT, eventsOf('forged'), 0);
    await signedStore().append(CHAT, eventsOf('b'), 1);
    expect(await inChat(signedStore())).toEqual(['a', 'forged (foreign)', 'b']);
  });

  it('hold nothing of what claims to go on, and lose nothing behind it', async () => {
    await signedStore().append(CHAT, eventsOf('a'), 0);
    const forged = newEvent('forged');
    const mark = { first: 1_000, key: keyIdOf(ours.publicKey), sig: ours.sign('anything') };
    await stored.append(CHAT, [{ ...forged, metadata: markedMetadata(forged.metadata, mark) }], 1);
    await signedStore().append(CHAT, eventsOf('b', 'c'), 2);
    await signedStore().append(CHAT, eventsOf('d'), 4);
    expect(await ofAll(signedStore())).toEqual(['before', 'a', 'b', 'c', 'd']);
    for (let from = 0; from < 6; from++) {
      expect(await inChat(signedStore(), { from })).toEqual(
        ['before', 'a', 'forged (foreign)', 'b', 'c', 'd'].slice(from),
      );
    }
  });

  it('wait for what a node does not have yet', async () => {
    await signedStore().append(CHAT, eventsOf('a', 'b'), 0);
    const behind: Partial<EventStore> = {
      head: (stream) => stored.head(stream),
      readStream: (stream, options = {}) =>
        stored.readStream(
          stream,
          stream === CHAT ? { ...options, limit: Math.max(0, 2 - (options.from ?? 0)) } : options,
        ),
    };
    const node = Object.assign(Object.create(stored) as EventStore, behind);
    await expect(inChat(signedStore({}, node))).rejects.toThrow('does not give revision 2 of chat-1 yet');
  });

  it('are looked through where readers ask for a number of events, or for the last one', async () => {
    const store = signedStore();
    await store.append(CHAT, eventsOf('a', 'b'), 0);
    await stored.append(CHAT, eventsOf('x', 'y'), 2);
    const last = async (limit: number) =>
      (await all(store.readAll({ direction: 'backwards', limit, streamPrefixes: ['chat-'] }))).map(textOf);
    expect(await last(1)).toEqual(['b']);
    expect(await last(9)).toEqual(['b', 'a', 'before']);
    expect((await all(store.readAll({ limit: 3, streamPrefixes: ['chat-'] }))).map(textOf)).toEqual([
      'before',
      'a',
      'b',
    ]);
    expect((await store.head(CHAT))?.revision).toBe(2);
    expect((await all(store.stored.readAll({ streamPrefixes: ['chat-'] }))).map(textOf)).toHaveLength(5);
  });

  it('begin in the middle of an append where a follower stopped there', async () => {
    await signedStore().append(CHAT, eventsOf('a', 'b', 'c'), 0);
    const [, a] = await all(stored.readStream(CHAT));
    const rest = signedStore().readAll({ after: a?.position ?? 0n, streamPrefixes: ['chat-'] });
    expect((await all(rest)).map(textOf)).toEqual(['b', 'c']);
  });

  it('are not made while the ledger is followed no further', async () => {
    let reason: string | undefined;
    const store = signedStore();
    store.writesUnless(() => reason);
    await store.append(CHAT, eventsOf('a'), 0);
    reason = 'revision 2 begins with a key that is not ours';
    await expect(store.append(CHAT, eventsOf('late'), 1)).rejects.toThrow(new JournalStopped(reason));
    reason = undefined;
    await store.append(CHAT, eventsOf('b'), 1);
    expect(await inChat(signedStore())).toEqual(['before', 'a', 'b']);
  });

  it('are looked for no further than an append is long', async () => {
    await signedStore().append(CHAT, eventsOf('a'), 0);
    const many = Array.from({ length: APPEND_EVENTS_MAX + 20 }, (_, n) => `forged ${n}`);
    await stored.append(CHAT, eventsOf(...many), 1);
    const looks = jest.spyOn(stored, 'readStream');
    expect(await inChat(signedStore(), { limit: 5 })).toEqual([
      'before',
      'a',
      ...many.slice(0, 3).map((text) => `${text} (foreign)`),
    ]);
    expect(looks.mock.calls.filter(([stream]) => stream === CHAT)).toHaveLength(2);
    await signedStore().append(CHAT, eventsOf('b'), many.length + 1);
    expect(await ofAll(signedStore())).toEqual(['before', 'a', 'b']);
  });

  it('are asked for where an unsigned event stands before the one that it follows', async () => {
    await signedStore().append(CHAT, eventsOf('a'), 0);
    await stored.append(CHAT, eventsOf('forged'), 1);
    const early = changedStore(stored, (event) => (event.revision === 2 ? { ...event, position: -1n } : event));
    expect(await inChat(signedStore({}, early))).toEqual(['before', 'a', 'forged (foreign)']);
    expect(await inChat(signedStore({}, early), { from: 2 })).toEqual(['forged (foreign)']);
  });

  it('are the same for an append that is repeated', async () => {
    const events = eventsOf('a', 'b');
    await signedStore().append(CHAT, events, 0);
    await expect(signedStore().append(CHAT, events, 0)).resolves.toEqual({ revision: 2 });
    expect(await inChat(signedStore())).toEqual(['before', 'a', 'b']);
  });

  it('are not made by halves', async () => {
    const many = Array.from({ length: APPEND_EVENTS_MAX + 1 }, () => newEvent('a'));
    const keyless = signedStore({ signerFor: () => undefined });
    await expect(signedStore().append(CHAT, eventsOf('a'), 'any')).rejects.toThrow(TypeError);
    await expect(signedStore().append(CHAT, many, 0)).rejects.toThrow(TypeError);
    await expect(keyless.append(CHAT, eventsOf('a'), 0)).rejects.toThrow(SigningKeyMissing);
    await expect(signedStore().append(CHAT, [newEvent('a', '{"actor":"member:ada"}')], 0)).rejects.toThrow('version 2');
    expect(await inChat(signedStore())).toEqual(['before']);
  });
});
