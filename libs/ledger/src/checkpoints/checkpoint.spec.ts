import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { JournalSigner } from '../signing/signer.js';
import {
  eventLeafHash,
  openCheckpoint,
  originOf,
  printCheckpoint,
  printNote,
  readCheckpoint,
  readNote,
  signersOf,
} from './checkpoint.js';
import { leafHashOf, LogTree } from './log-tree.js';

/** Those that certificate transparency is tested with. */
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const keyOf = (seed: Buffer, publicKey: Buffer): JournalSigner =>
  JournalSigner.of({ kty: 'OKP', crv: 'Ed25519', d: seed.toString('base64url'), x: publicKey.toString('base64url') });

describe('the tree over a log', () => {
  const treeOf = (leaves: readonly string[]): LogTree => {
    const tree = LogTree.empty();
    for (const leaf of leaves) tree.add(leafHashOf(leaf));
    return tree;
  };

  it('has the roots of RFC 6962', () => {
    const texts = LEAVES.map((hex) => Buffer.from(hex, 'hex').toString());
    expect(ROOTS.map((_, size) => treeOf(texts.slice(0, size)).root.toString('hex'))).toEqual(ROOTS);
  });

  it('goes on, wherever it was put down, as if it never had been', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 70 }), fc.nat(70), (leaves, cut) => {
        const before = treeOf(leaves.slice(0, cut));
        const taken = LogTree.of(before.size, before.toBytes()) ?? LogTree.empty();
        for (const leaf of leaves.slice(cut)) taken.add(leafHashOf(leaf));
        expect([taken.size, taken.root]).toEqual([leaves.length, treeOf(leaves).root]);
      }),
    );
    expect(LogTree.of(3, Buffer.alloc(32))).toBeUndefined();
  });
});

describe('a signed note', () => {
  // The example of Go's package sumdb/note.
  const publicKey = Buffer.from('ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW', 'base64').subarray(1);
  const seed = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1);
  const peter = keyOf(seed, publicKey);
  const key = { name: 'PeterNeumann', publicKey: peter.publicKey };
  const text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
  const note = `${text}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`;

  it('is what others print, byte for byte, and what they signed is taken', () => {
    expect(printNote(text, key, peter.sign(text))).toBe(note);
    expect(readNote(note).text).toBe(text);
    expect(signersOf(note, [key])).toEqual([key]);
  });

  it('may be signed by others as well', () => {
    const witness = '— witness.example/w1 1Q2w3e4r5t6y7u8i\n';
    expect(signersOf(`${note}${witness}`, [key])).toEqual([key]);
  });

  it.each([
    ['another text', note.replace('cryptography', 'cryptographY'), 'wrong'],
    ['a signature cut short', note.replace('AM=\n', 'A=\n'), 'wrong'],
    ['base64 that is not as it would be printed', note.replace('nAM=\n', 'nAN=\n'), 'wrong'],
    ['another name', note.replace('— PeterNeumann', '— Peter'), 'no key that we trust'],
    ['no signature', text, 'not a signed note'],
    ['no signature behind the empty line', `${text}\n`, 'not a signed note'],
    ['no line feed at the end', note.slice(0, -1), 'not a signed note'],
    ['a hyphen for the dash', note.replace('—', '-'), 'not a signed note'],
    ['a carriage return', note.replace('problem,\n', 'problem,\r\n'), 'not a signed note'],
    ['a blank behind it', note.replace('AM=\n', 'AM= \n'), 'not a signed note'],
    ['101 signatures', `${note}${'— w AAAAAAA=\n'.repeat(100)}`, 'not a signed note'],
  ])('is refused with %s', (_what, wrong, why) => {
    expect(() => signersOf(wrong, [key])).toThrow(why);
  });
});

describe('a checkpoint', () => {
  // RFC 8032, test 1.
  const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
  const publicKey = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex');
  const signer = keyOf(seed, publicKey);
  const journal = '5b1c0e8f6a7d4c219e3f00112233aabb';
  const origin = originOf(journal, '8f14e45fceea167a');
  const trust = [{ journal, publicKey: signer.publicKey, from: 2 }];
  const event = {
    stream: 'moderation-0199f3b2',
    revision: 0,
    id: '0199f3b2-0000-7000-8000-5e6f7a8b9c0d',
    type: 'MemberSuspended',
    data: '{"adminId":"root"}',
    metadata: '{"nova":2,"$correlationId":"a1d2c3b4-0000-4000-8000-5e6f7a8b9c0d","actor":"admin:root"}',
  };
  const tree = LogTree.empty();
  tree.add(eventLeafHash(event));
  const note = printCheckpoint({ origin, size: 1, root: tree.root }, signer);

  it('is the example of the documentation, byte for byte', () => {
    expect(tree.root.toString('hex')).toBe('075b9f630ebfc89a28958f4e249f2f5bc3224311e2a5b15cf04278484647add7');
    expect(note).toBe(
      [
        'nova-journal/5b1c0e8f6a7d4c219e3f00112233aabb/8f14e45fceea167a',
        '1',
        'B1ufYw6/yJoolY9OJJ8vW8MiQxHipbFc8EJ4SEZHrdc=',
        '',
        '— nova-journal/5b1c0e8f6a7d4c219e3f00112233aabb/8f14e45fceea167a nQL3ox4PcheyStquMefY1KwMOIyzYj2cJVTHnWvh353MFHOHUfSxPX1v+WaXKglZuBricvMi0V0iemqsDvX7cu1hig8=',
        '',
      ].join('\n'),
    );
    expect(openCheckpoint(note, trust)).toEqual({ origin, size: 1, root: tree.root });
  });

  it('covers each part of an event, and where it ends', () => {
    const changed = [
      { stream: 'moderation-0199f3b3' },
      { revision: 1 },
      { id: '0199f3b2-0000-7000-8000-5e6f7a8b9c0e' },
      { type: 'MemberBanned' },
      { data: '{"adminId":"eve"}' },
      { metadata: event.metadata.replace('root', 'eve') },
      { type: 'MemberSuspended\n{"adminId":"root"}', data: event.metadata, metadata: '' },
    ];
    const hashes = [event, ...changed.map((change) => ({ ...event, ...change }))].map((each) =>
      eventLeafHash(each).toString('hex'),
    );
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  const signed = (text: string, by = signer, name = origin): string =>
    printNote(text, { name, publicKey: by.publicKey }, by.sign(text));
  const [, , rootLine] = note.split('\n');
  const other = new JournalSigner(generateKeyPairSync('ed25519').privateKey);

  it.each([
    ['a size with a zero in front', signed(`${origin}\n01\n${rootLine}\n`), 'not a checkpoint'],
    ['a negative size', signed(`${origin}\n-1\n${rootLine}\n`), 'not a checkpoint'],
    ['a size beyond whole numbers', signed(`${origin}\n9${'0'.repeat(16)}\n${rootLine}\n`), 'not a checkpoint'],
    ['a root of another length', signed(`${origin}\n1\nAAAA\n`), 'not a checkpoint'],
    ['a root that would be printed otherwise', signed(`${origin}\n1\n${'A'.repeat(42)}B=\n`), 'not a checkpoint'],
    ['a further line', signed(`${origin}\n1\n${rootLine}\nmore\n`), 'not a checkpoint'],
    ['another origin', signed(`nova-journal/x\n1\n${rootLine}\n`), 'not a checkpoint'],
    ['another journal', signed(`${originOf('0'.repeat(32), '0'.repeat(16))}\n1\n${rootLine}\n`), 'is not ours'],
    ['the signature of another key', signed(`${origin}\n1\n${rootLine}\n`, other), 'no key that we trust'],
    ['a signature in another name', signed(`${origin}\n1\n${rootLine}\n`, signer, 'x'), 'no key that we trust'],
  ])('is refused with %s', (_what, wrong, why) => {
    expect(() => openCheckpoint(wrong, trust)).toThrow(why);
  });

  it('says what it is of without anybody’s key', () => {
    expect(readCheckpoint(note)).toMatchObject({ journal, size: 1 });
  });
});
