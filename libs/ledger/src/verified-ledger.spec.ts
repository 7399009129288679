import { generateKeyPairSync } from 'node:crypto';
import { LEDGER_STREAM } from '@app/domain';
import { type EventStore, MemoryEventStore, StoreUnavailable } from '@app/event-store';
import { printEnvelope, readEnvelope } from './envelope.js';
import { chainHash, eventIdOf } from './hash-chain.js';
import { EMPTY_HEAD, type JournalHead } from './journal-reader.js';
import type { LedgerWriter } from './ledger-writer.js';
import { JournalSigner } from './signing/signer.js';
import { SignedStore } from './signing/signed-store.js';
import { grant, startWriter } from './testing/writers.js';
import { type LedgerEvents, VerifiedLedger } from './verified-ledger.js';

const JOURNAL = '5b1c0e8f6a7d4c219e3f00112233aabb';
const CORRELATION = '7f0c3a52-7d4e-4a0b-9a3e-0d1f5f4c2b11';
const signer = new JournalSigner(generateKeyPairSync('ed25519').privateKey);
const { publicKey } = signer;
const trust = [{ journal: JOURNAL, publicKey, from: 1 }];

describe('the events that have happened', () => {
  let stored: MemoryEventStore;
  let writer: LedgerWriter;
  let head: JournalHead;
  const signing = () => startWriter({ store: stored, envelope: 2, trust, signerFor: () => signer });
  const ledger = (store: EventStore = new SignedStore(stored, { trust })) => new VerifiedLedger(store, () => head);

  /** One event of before, the beginning at revision 1, a range of 2 to 4. */
  beforeEach(async () => {
    stored = new MemoryEventStore();
    await (await startWriter({ store: stored })).execute(grant('ada', 1n));
    const beginning = await startWriter({ store: stored, envelope: 2, signerFor: () => signer });
    await beginning.execute({ command: { type: 'BeginSigning', journal: JOURNAL, publicKey }, actor: 'terminal' });
    writer = await signing();
    await Promise.all([1n, 2n, 3n].map((amount) => writer.execute(grant('cem', amount))));
    ({ head } = writer);
  });

  /** The link is right, and nobody has signed it. */
  async function forge(): Promise<void> {
    const last = await stored.head(LEDGER_STREAM);
    if (!last) throw new Error('the journal is empty');
    const [revision, data] = [last.revision + 1, '{}'];
    const hash = chainHash(readEnvelope(last.metadata)?.hash ?? '', revision, 'NovaGranted', data);
    const metadata = printEnvelope({ hash, correlationId: CORRELATION });
    const event = { id: eventIdOf(hash, revision), type: 'NovaGranted', data, metadata };
    await stored.append(LEDGER_STREAM, [event], last.revision);
  }
  const revisions = async (events: LedgerEvents, from = 0) =>
    (await events.read(from, 100)).map(({ revision }) => revision);

  it('end where nobody signed what follows', async () => {
    await forge();
    const events = ledger();
    expect(await revisions(events)).toEqual([0, 1, 2, 3, 4]);
    expect((await events.head())?.revision).toBe(4);
    expect(await events.at(5)).toBeUndefined();
    expect((await events.at(4))?.revision).toBe(4);
    expect(await revisions(events, 5)).toEqual([]);
    expect(await events.at(-1)).toBeUndefined();
    expect(await events.at(99)).toBeUndefined();
    const { asStored } = events;
    expect([await revisions(asStored), (await asStored.head())?.revision]).toEqual([[0, 1, 2, 3, 4, 5], 5]);
  });

  it('are all that is stored, where nothing says who should sign', async () => {
    await forge();
    const events = ledger(stored);
    expect([await revisions(events), (await events.head())?.revision]).toEqual([[0, 1, 2, 3, 4, 5], 5]);
  });

  it.each([0, 1, 2, 3, 4])(
    'are those of other servers too, the moment they are written: known up to %d',
    async (to) => {
      const event = (await stored.head(LEDGER_STREAM)) && (await ledger().asStored.at(to));
      head = { revision: to, hash: readEnvelope(event?.metadata ?? '')?.hash ?? '' };
      await (await signing()).execute(grant('dov', 1n));
      await forge();
      const events = ledger();
      expect([await revisions(events), (await events.head())?.revision]).toEqual([[0, 1, 2, 3, 4, 5], 5]);
      expect(await events.at(6)).toBeUndefined();
    },
  );

  it('cost no look at a signature as far as this process has checked them', async () => {
    const store = new SignedStore(stored, { trust });
    const linked = jest.spyOn(store, 'linked');
    const events = ledger(store);
    expect([await revisions(events), (await events.head())?.revision]).toEqual([[0, 1, 2, 3, 4], 4]);
    expect(linked).not.toHaveBeenCalled();
  });

  it('are not told of a journal that is another one, or that this process has yet to read', async () => {
    await (await signing()).execute(grant('dov', 1n));
    head = { revision: 3, hash: EMPTY_HEAD.hash };
    await expect(ledger().at(5)).rejects.toThrow(StoreUnavailable);
    head = EMPTY_HEAD;
    const far = new SignedStore(stored, { trust });
    jest.spyOn(far, 'head').mockResolvedValue({ revision: 1_000_000 } as Awaited<ReturnType<EventStore['head']>>);
    await expect(ledger(far).head()).rejects.toThrow('the journal is read here up to revision -1 so far');
  });
});
