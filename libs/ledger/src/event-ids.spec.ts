import { chainHash, eventIdOf, revisionOfEventId } from './hash-chain.js';

describe("an event's id", () => {
  const hash = chainHash('0'.repeat(64), 7, 'GiftSent', '{}');

  it.each([0, 7, 2 ** 31, 2 ** 40 + 3])('is a UUIDv8 that tells revision %d', (revision) => {
    const id = eventIdOf(hash, revision);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(revisionOfEventId(id)).toBe(revision);
    expect(revisionOfEventId(id.toUpperCase())).toBe(revision);
  });

  it('differs with the bytes', () => {
    expect(eventIdOf(chainHash('0'.repeat(64), 7, 'GiftSent', '{ }'), 7)).not.toBe(eventIdOf(hash, 7));
  });

  it.each(['', '7-0', '018f0000-0000-7000-8000-000000000000', 'x'.repeat(36)])('is not %j', (text) => {
    expect(revisionOfEventId(text)).toBeUndefined();
  });
});
