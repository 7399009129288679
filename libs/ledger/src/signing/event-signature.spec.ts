import { generateKeyPairSync } from 'node:crypto';
import { LEDGER_STREAM } from '@app/domain';
import { MemoryEventStore, type NewEvent } from '@app/event-store';
import { printEnvelope, readEnvelope } from '../envelope.js';
import { chainHash, eventIdOf } from '../hash-chain.js';
import { grant, startWriter } from '../testing/writers.js';
import { signatureOf } from './event-signature.js';
import { JournalSigner } from './signer.js';
import { keyIdOf } from './range.js';

const JOURNAL = '5b1c0e8f6a7d4c219e3f00112233aabb';
const CORRELATION = '7f0c3a52-7d4e-4a0b-9a3e-0d1f5f4c2b11';
const [ours, next, theirs] = [newSigner(), newSigner(), newSigner()];
const key = keyIdOf(ours.publicKey);
const trust = [
  { journal: JOURNAL, publicKey: ours.publicKey, from: 1 },
  { journal: JOURNAL, publicKey: next.publicKey, from: 6 },
];

/** One event of before, the beginning at 1, a range of 2 to 4, the change of keys at 5, one event by the next key. */
async function signedJournal(): Promise<NewEvent[]> {
  const store = new MemoryEventStore();
  await (await startWriter({ store })).execute(grant('ada', 1n));
  const signers = [ours, next];
  const writer = await startWriter({
    store,
    envelope: 2,
    signerFor: (publicKey) => signers.find((signer) => signer.publicKey === publicKey),
  });
  const publicKey = ours.publicKey;
  const proof = next.proofFor({ journal: JOURNAL, publicKey });
  await writer.execute({ command: { type: 'BeginSigning', journal: JOURNAL, publicKey }, actor: 'terminal' });
  await Promise.all([1n, 2n, 3n].map((amount) => writer.execute(grant('cem', amount))));
  await writer.execute({
    command: { type: 'ChangeSigningKey', publicKey: next.publicKey, proof },
    actor: 'terminal',
  });
  await writer.execute(grant('dov', 1n));
  const events: NewEvent[] = [];
  for await (const batch of store.readStream(LEDGER_STREAM)) events.push(...batch);
  return events;
}

async function signatureIn(events: readonly NewEvent[], revision: number, known: typeof trust | undefined = trust) {
  const store = new MemoryEventStore();
  for (const [place, { id, type, data, metadata }] of events.entries()) {
    await store.append(LEDGER_STREAM, [{ id, type, data, metadata }], place === 0 ? 'none' : place - 1);
  }
  return signatureOf(store, known, revision);
}

/** As anyone may write it who knows how: the link is right. */
function forged(events: readonly NewEvent[], signer?: JournalSigner): NewEvent {
  const [revision, data] = [events.length, '{}'];
  const hash = chainHash(readEnvelope(events.at(-1)?.metadata ?? '')?.hash ?? '', revision, 'NovaGranted', data);
  const metadata = printEnvelope({ hash, correlationId: CORRELATION });
  const event = { id: eventIdOf(hash, revision), type: 'NovaGranted', data, metadata };
  return signer?.seal(JOURNAL, revision, [event]) ?? event;
}

describe('who signed an event', () => {
  it('is the key whose range has the event, wherever in it', async () => {
    const events = await signedJournal();
    const sig = (revision: number) => readEnvelope(events[revision]?.metadata ?? '')?.range?.sig;
    const signed = { status: 'signed', key };
    expect(await signatureIn(events, 1)).toEqual({ ...signed, first: 1, last: 1, sig: sig(1) });
    for (const revision of [2, 3, 4]) {
      expect(await signatureIn(events, revision)).toEqual({ ...signed, first: 2, last: 4, sig: sig(4) });
    }
    expect(await signatureIn(events, 5)).toEqual({ ...signed, first: 5, last: 5, sig: sig(5) });
    const byNext = { ...signed, key: keyIdOf(next.publicKey), first: 6, last: 6, sig: sig(6) };
    expect(await signatureIn(events, 6)).toEqual(byNext);
  });

  it('is nobody before the first signature, and where nothing says by whom it should be', async () => {
    const events = await signedJournal();
    expect(await signatureIn(events, 0)).toEqual({ status: 'before', signedFrom: 1 });
    const store = new MemoryEventStore();
    expect(await signatureOf(store, undefined, 0)).toEqual({ status: 'unsigned' });
  });

  const swapped = (events: readonly NewEvent[], place: number, change: (event: NewEvent) => NewEvent) =>
    events.map((event, at) => (at === place ? change(event) : event));

  it.each<[string, number, string, (events: NewEvent[]) => NewEvent[]]>([
    ['without a signature', 7, 'revision 7 is signed by nobody', (events) => [...events, forged(events)]],
    [
      'without a signature, before one',
      7,
      'revision 7 is signed by nobody',
      (events) => {
        const more = [...events, forged(events)];
        return [...more, forged(more, next)];
      },
    ],
    [
      'by another key',
      7,
      `revision 7 is signed by the key ${keyIdOf(theirs.publicKey)}, which is not the journal's`,
      (events) => [...events, forged(events, theirs)],
    ],
    [
      'by the key of before',
      7,
      `revision 7 is signed by the key ${key}, which is not the journal's`,
      (events) => [...events, forged(events, ours)],
    ],
    [
      'with another signature of ours',
      3,
      "revision 2 is signed by somebody else than the journal's key",
      (events) => {
        const { sig = '' } = readEnvelope(events[1]?.metadata ?? '')?.range ?? {};
        return swapped(events, 4, (event) => {
          const envelope = readEnvelope(event.metadata);
          if (!envelope?.range) throw new Error('revision 4 ends no range');
          return { ...event, metadata: printEnvelope({ ...envelope, range: { ...envelope.range, sig } }) };
        });
      },
    ],
    [
      'with other data',
      2,
      'the hash of revision 3 does not fit its bytes and what came before',
      (events) => swapped(events, 3, (event) => ({ ...event, data: event.data.replace('cem', 'mal') })),
    ],
  ])('is told where it is nobody whom we trust: %s', async (_, revision, message, change) => {
    const found = await signatureIn(change(await signedJournal()), revision);
    expect(found).toMatchObject({ status: 'forged', reason: { message } });
  });
});

function newSigner(): JournalSigner {
  return new JournalSigner(generateKeyPairSync('ed25519').privateKey);
}
