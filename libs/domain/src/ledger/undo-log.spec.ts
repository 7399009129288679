import * as fc from 'fast-check';
import { UndoLog, mapUndo, type Undoable } from './undo-log.js';

test('what is taken back is handed what it gave, newest first, down to the length that was asked for', () => {
  const taken: unknown[] = [];
  const owner = (name: string): Undoable<unknown, unknown, unknown> => ({
    takeBack: (...given) => taken.push([name, ...given]),
  });
  const undo = new UndoLog();
  undo.record(owner('first'), 1, undefined, 'a');
  undo.record(owner('second'), 2n, null, 'b');
  undo.record(owner('third'), 3, [], undefined);
  expect(undo.length).toBe(3);

  undo.rollback(1);
  expect(taken).toEqual([
    ['third', 3, [], undefined],
    ['second', 2n, null, 'b'],
  ]);
  expect(undo.length).toBe(1);

  undo.rollback(1);
  expect(taken).toHaveLength(2);
  undo.rollback();
  expect(taken[2]).toEqual(['first', 1, undefined, 'a']);
  expect(undo.length).toBe(0);
});

test('what is durable is forgotten from the oldest on, and stays', () => {
  const taken: number[] = [];
  const owner: Undoable<number, undefined, undefined> = { takeBack: (n) => taken.push(n) };
  const undo = new UndoLog();
  for (let n = 0; n < 5; n++) undo.record(owner, n, undefined, undefined);
  undo.forget(2);
  expect(undo.length).toBe(3);
  undo.rollback();
  expect(taken).toEqual([4, 3, 2]);
});

test('a map is as it was, whatever was put into it or dropped from it', () => {
  const anyAct = fc.record({ key: fc.nat(4), value: fc.option(fc.nat(3), { nil: undefined }) });
  fc.assert(
    fc.property(fc.array(anyAct), fc.array(anyAct), (before, after) => {
      const map = new Map<number, number>();
      const undo = new UndoLog();
      const apply = ({ key, value }: { key: number; value: number | undefined }) => {
        undo.record(mapUndo, map, key, map.get(key));
        if (value === undefined) map.delete(key);
        else map.set(key, value);
      };
      before.forEach(apply);
      const then = new Map(map);
      const length = undo.length;
      after.forEach(apply);
      undo.rollback(length);
      expect(map).toEqual(then);
      undo.rollback();
      expect(map.size).toBe(0);
    }),
  );
});
