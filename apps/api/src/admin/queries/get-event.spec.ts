import { LEDGER_STREAM } from '@app/domain';
import { MemoryEventStore, type NewEvent } from '@app/event-store';
import { chainHash, eventIdOf, hashOf, SignedStore, StoredLedger, VerifiedLedger } from '@app/ledger';
import { grant, startWriter } from '../../../../../libs/ledger/src/testing/writers.js';
import type { EventDetails } from '../../wallet/event-details.js';
import { JournalEvents } from '../../wallet/journal-events.js';
import type { ReadModels } from '../../wallet/read-models.js';
import { GetEvent, GetEventHandler } from './get-event.js';

const trust = [{ journal: 'a'.repeat(32), publicKey: 'b'.repeat(64), from: 1 }];

describe('an event that nobody signed, as an admin is shown it', () => {
  let store: MemoryEventStore;
  let handler: GetEventHandler;

  beforeEach(async () => {
    store = new MemoryEventStore();
    const writer = await startWriter({ store });
    await writer.execute(grant('ada', 1n));
    const known = new VerifiedLedger(new SignedStore(store, { trust }), () => writer.head);
    const noRow = { statement: { row: () => Promise.resolve(undefined) } } as unknown as ReadModels;
    const details = { render: () => Promise.resolve({ rendered: true }) } as unknown as EventDetails;
    handler = new GetEventHandler(new JournalEvents(known), noRow, details, store, { trust }, known);
  });

  /** What follows the event of before, as whoever may insert can write it. */
  async function forge(data: string, metadata = (hash: string) => `{"hash":"${hash}"}`): Promise<void> {
    const before = await new StoredLedger(store).head();
    if (!before) throw new Error('the journal is empty');
    const hash = chainHash(hashOf(before.metadata), 1, before.type, data);
    const event: NewEvent = { id: eventIdOf(hash, 1), type: before.type, data, metadata: metadata(hash) };
    await store.append(LEDGER_STREAM, [event], 0);
  }

  it('has a warning, and has moved nothing', async () => {
    await forge((await store.head(LEDGER_STREAM))?.data ?? '');
    const shown = await handler.execute(new GetEvent('1'));
    expect(shown).toMatchObject({ rendered: true, data: { userId: 'ada' }, signature: { status: 'wrong' } });
    expect(shown.signature.problem).toBe('Revision 1 is signed by nobody. No balance counts it.');
    expect((await handler.execute(new GetEvent('0'))).signature).toMatchObject({ status: 'before', signedFrom: 1 });
  });

  it.each<[string, string, (() => string) | undefined]>([
    ['no event that anybody can read', '{"at":1}', undefined],
    ['without a hash', '{}', () => '{}'],
  ])('is told to be none: %s', async (_, data, metadata) => {
    await forge(data, metadata);
    await expect(handler.execute(new GetEvent('1'))).rejects.toMatchObject({
      statusCode: 409,
      code: 'NO_LEDGER_EVENT',
      message: expect.stringMatching(/^The stored data is not an event of the ledger: .+[^.]\.$/),
    });
  });
});
