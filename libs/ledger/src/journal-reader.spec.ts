import { LEDGER_STREAM } from '@app/domain';
import { MemoryEventStore } from '@app/event-store';
import { decodeEvents } from '../../projections/src/runner/decode.js';
import { printEnvelope } from './envelope.js';
import { chainHash, eventIdOf, GENESIS_HASH } from './hash-chain.js';
import { journalEventAt, journalEventOf } from './journal-reader.js';

describe('an event that this version does not know', () => {
  const store = new MemoryEventStore();
  beforeAll(async () => {
    const data = '{"at":1,"actor":"process","entries":[]}';
    const hash = chainHash(GENESIS_HASH, 0, 'MoonLanded', data);
    const event = { id: eventIdOf(hash, 0), type: 'MoonLanded', data, metadata: printEnvelope({ hash }) };
    await store.append(LEDGER_STREAM, [event], 'none');
    await store.append(
      'user-ada',
      [{ ...event, id: '018f0000-0000-7000-8000-000000000001', data: '{"at":1}' }],
      'none',
    );
  });

  it('is named with its revision where the journal is read', async () => {
    await expect(journalEventAt(store, 0)).rejects.toThrow('revision 0: no such ledger event: MoonLanded');
    for await (const batch of store.readStream(LEDGER_STREAM, { from: 0 })) {
      expect(() => batch.map(journalEventOf)).toThrow('revision 0: no such ledger event: MoonLanded');
    }
  });

  it.each([
    [LEDGER_STREAM, 'no such ledger event: MoonLanded'],
    ['user-ada', 'no such event: MoonLanded'],
  ])('is named with its stream, %s, where a read model is made', async (stream, fault) => {
    for await (const batch of store.readStream(stream, { from: 0 })) {
      expect(() => decodeEvents(batch)).toThrow(`${stream}, revision 0: ${fault}`);
    }
  });
});
