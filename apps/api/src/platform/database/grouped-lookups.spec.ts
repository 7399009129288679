import { GroupedLookups } from './grouped-lookups.js';

/** A table that answers when it is told to. */
function slowTable(values: Record<string, number>) {
  const queries: (readonly string[])[] = [];
  let answer: (error?: Error) => void = () => undefined;
  const lookups = new GroupedLookups<number>(async (keys) => {
    queries.push(keys);
    await new Promise<void>((resolve, reject) => {
      answer = (error) => (error ? reject(error) : resolve());
    });
    return new Map(keys.flatMap((key) => (key in values ? [[key, values[key] ?? 0]] : [])));
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    lookups,
    queries,
    values,
    answer: async (error?: Error) => {
      answer(error);
      await settle();
    },
  };
}

describe('lookups that share queries', () => {
  it('go together while another query runs, each key once', async () => {
    const { lookups, queries, answer } = slowTable({ a: 1, b: 2 });
    const found = ['a', 'b', 'c', 'b'].map((key) => lookups.find(key));
    expect(queries).toEqual([['a']]);
    await answer();
    expect(queries).toEqual([['a'], ['b', 'c']]);
    await answer();
    expect(await Promise.all(found)).toEqual([1, 2, undefined, 2]);
  });

  it('never answer from a query that was asked before them', async () => {
    const { lookups, queries, answer, values } = slowTable({ a: 1 });
    const before = lookups.find('a');
    const after = lookups.find('a');
    await answer();
    expect(await before).toBe(1);
    delete values['a'];
    await answer();
    expect(await after).toBeUndefined();
    expect(queries).toEqual([['a'], ['a']]);
  });

  it('fail with their own query alone', async () => {
    const { lookups, answer } = slowTable({ a: 1, b: 2 });
    const [first, second] = [lookups.find('a'), lookups.find('b')];
    const failed = expect(first).rejects.toThrow('lost');
    await answer(new Error('lost'));
    await failed;
    await answer();
    expect(await second).toBe(2);
    const third = lookups.find('a');
    await answer();
    expect(await third).toBe(1);
  });

  it('ask for no more than 500 keys at once', async () => {
    const { lookups, queries, answer } = slowTable({});
    const found = Array.from({ length: 1_002 }, (_, n) => lookups.find(`key ${n}`));
    for (let n = 0; n < 4; n++) await answer();
    expect(queries.map(({ length }) => length)).toEqual([1, 500, 500, 1]);
    expect(await Promise.all(found)).toEqual(Array(1_002).fill(undefined));
  });
});
