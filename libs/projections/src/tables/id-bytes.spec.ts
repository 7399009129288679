import { idBytes, idLiteral, idOf } from './id-bytes.js';

const UUIDS = ['0193a000-0000-7000-8000-00000000000a', 'ffffffff-ffff-4fff-8fff-ffffffffffff'];

describe('ids as bytes', () => {
  it.each([
    ...UUIDS,
    '0193A000-0000-7000-8000-00000000000A',
    '',
    'member-1',
    'sixteen-letters-',
    'seventeen-letters',
    // The bytes of these letters could be those of a UUID.
    'abcdef7hij8lmnop',
    'pi_3Ü',
  ])('give back %j', (id) => {
    expect(idOf(idBytes(id))).toBe(id);
    expect(idLiteral(id)).toBe(`\\x${idBytes(id).toString('hex')}`);
  });

  it('take 16 bytes where they are UUIDs, in the order of their texts', () => {
    expect(UUIDS.map((id) => idBytes(id).length)).toEqual([16, 16]);
    const ids = Array.from({ length: 50 }, () => crypto.randomUUID() as string);
    expect(ids.toSorted((a, b) => idBytes(a).compare(idBytes(b)))).toEqual(ids.toSorted());
  });
});
