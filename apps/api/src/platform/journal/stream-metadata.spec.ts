import { MemoryEventStore } from '@app/event-store';
import { LEDGER_STREAM } from '@app/domain';
import { printEnvelope } from '@app/ledger';
import { chosenEnvelope, ledToBy, StreamMetadata, writerOf } from './stream-metadata.js';

const correlationId = '7f0c3a52-7d4e-4a0b-9a3e-0d1f5f4c2b11';
const causationId = 'a1d2c3b4-0000-7000-8000-5e6f7a8b9c0d';
const by = { actor: 'member:ann', cause: 'RateChat:ab' };

describe('metadata of streams other than the ledger', () => {
  it('is in version 1 as earlier releases write it', () => {
    const [first, second] = [new StreamMetadata(1), { correlationId, causationId }];
    expect(first.of({ ...by, ...second })).toBe(
      `{"actor":"member:ann","requestId":"${correlationId}","cause":"RateChat:ab"}`,
    );
    expect(first.of({ actor: 'process' })).toBe('{"actor":"process"}');
  });

  it('is in version 2 an object that begins with the mark, with ids of ours alone', () => {
    const second = new StreamMetadata(2);
    expect(second.of({ ...by, correlationId, causationId })).toBe(
      `{"nova":2,"$correlationId":"${correlationId}","$causationId":"${causationId}","actor":"member:ann","cause":"RateChat:ab"}`,
    );
    for (const given of [undefined, 'trace-17']) {
      const text = second.of({ actor: 'process', correlationId: given, causationId: given });
      expect(text).toMatch(/^\{"nova":2,"\$correlationId":"[0-9a-f-]{36}","actor":"process"\}$/);
      expect(JSON.stringify(JSON.parse(text))).toBe(text);
    }
  });

  it.each([1, 2] as const)('tells in version %s who wrote it, and what follows from it', (version) => {
    const metadata = new StreamMetadata(version).of({ ...by, correlationId });
    expect(writerOf(metadata)).toMatchObject(by);
    expect(ledToBy({ id: causationId, metadata })).toEqual({ correlationId, causationId });
  });
});

it('goes on as the ledger was written, unless it is set', async () => {
  const store = new MemoryEventStore();
  expect(await chosenEnvelope(store, undefined)).toBe(2);
  const hash = 'ab'.repeat(32);
  const event = { id: causationId, type: 'Noted', data: '{}' };
  await store.append(LEDGER_STREAM, [{ ...event, metadata: printEnvelope({ hash }) }], 'none');
  expect(await chosenEnvelope(store, undefined)).toBe(1);
  expect(await chosenEnvelope(store, 2)).toBe(2);
  await store.append(
    LEDGER_STREAM,
    [{ ...event, id: correlationId, metadata: printEnvelope({ hash, correlationId }) }],
    0,
  );
  expect(await chosenEnvelope(store, undefined)).toBe(2);
  expect(await chosenEnvelope(store, 1)).toBe(1);
});
