import { hash } from 'node:crypto';
import type { LedgerEvent } from '@app/domain';
import { blindEntries, BLOCK_EVENTS, leafOf, pathOf, PeriodTree, rootByPath, rootOf } from './period-tree.js';

const leaves = (count: number): string[] => Array.from({ length: count }, (_, n) => hash('sha256', `leaf ${n}`, 'hex'));

describe('the tree over a period', () => {
  it('parts as RFC 9162 says', () => {
    const [a = '', b = '', c = '', d = '', e = ''] = leaves(5);
    const node = (left: string, right: string) => hash('sha256', `node\n${left}\n${right}`, 'hex');
    expect(rootOf([a])).toBe(a);
    expect(rootOf([a, b, c])).toBe(node(node(a, b), c));
    expect(rootOf([a, b, c, d, e])).toBe(node(node(node(a, b), node(c, d)), e));
  });

  it('is reached from every leaf by its path, and from no other place', () => {
    for (let size = 1; size <= 40; size++) {
      const all = leaves(size);
      const root = rootOf(all);
      for (let index = 0; index < size; index++) {
        const path = pathOf(all, index);
        expect(rootByPath(all[index] ?? '', { index, size }, path)).toBe(root);
        for (let other = 0; other < size; other++) {
          if (other !== index) expect(rootByPath(all[index] ?? '', { index: other, size }, path)).not.toBe(root);
        }
        expect(rootByPath(all[index] ?? '', { index, size }, [...path, root])).toBeUndefined();
        if (path.length) expect(rootByPath(all[index] ?? '', { index, size }, path.slice(1))).not.toBe(root);
      }
      for (const index of [-1, size, size + 1]) expect(rootByPath(root, { index, size }, [])).toBeUndefined();
    }
  });

  const event = (revision: number): { revision: number; event: LedgerEvent; chainHash: string } => ({
    revision,
    chainHash: hash('sha256', `chain ${revision}`, 'hex'),
    event: {
      type: 'NovaGranted',
      userId: 'ann',
      adminId: 'root',
      amount: 1n,
      at: revision,
      actor: 'admin:root',
      entries: [
        ['issuance:NOVA', 'NOVA', -1n],
        ['user:ann:earned', 'NOVA', 1n],
      ],
    },
  });

  it.each([1, BLOCK_EVENTS - 1, BLOCK_EVENTS, BLOCK_EVENTS + 1, 3 * BLOCK_EVENTS + 7])(
    'is the same over blocks as over all %i events',
    (count) => {
      const tree = new PeriodTree('blinding');
      const all: string[] = [];
      for (let revision = 0; revision < count; revision++) {
        tree.add(event(revision));
        all.push(leafOf(event(revision), blindEntries(event(revision), 'blinding')));
      }
      expect(tree.root).toBe(rootOf(all));
      expect(tree.blocks).toHaveLength(Math.ceil(count / BLOCK_EVENTS));
    },
  );

  it('hides the same entry behind another hash each time, and depends on every part of an event', () => {
    const [first, second] = [blindEntries(event(1), 'b'), blindEntries(event(2), 'b')];
    const hashes = [...first, ...second, ...blindEntries(event(1), 'c')].map((entry) => entry.hash);
    expect(new Set(hashes).size).toBe(6);
    const leaf = leafOf(event(1), first);
    const { event: granted, ...place } = event(1);
    expect(leafOf({ ...place, event: { ...granted, at: 5 } }, first)).not.toBe(leaf);
    expect(leafOf({ ...place, event: { ...granted, type: 'NovaDeducted' } }, first)).not.toBe(leaf);
    expect(leafOf({ ...place, revision: 2, event: granted }, first)).not.toBe(leaf);
    expect(leafOf({ ...place, chainHash: '', event: granted }, first)).not.toBe(leaf);
    expect(leafOf(event(1), first.toReversed())).not.toBe(leaf);
  });
});
