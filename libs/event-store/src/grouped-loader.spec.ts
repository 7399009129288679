import { groupedLookups } from './grouped-loader.js';

/** A table that answers when it is told to. */
function slowTable(values: Record<string, number>) {
  const queries: (readonly string[])[] = [];
  let answer: (error?: Error) => void = () => undefined;
  const find = groupedLookups<number>(async (keys) => {
    queries.push(keys);
    await new Promise<void>((resolve, reject) => {
      answer = (error) => (error ? reject(error) : resolve());
    });
    return new Map(keys.flatMap((key) => (key in values ? [[key, values[key] ?? 0]] : [])));
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    find,
    queries,
    values,
    settle,
    answer: async (error?: Error) => {
      answer(error);
      await settle();
    },
  };
}

describe('lookups that share queries', () => {
  it('go together while another query runs, each key once', async () => {
    const { find, queries, settle, answer } = slowTable({ a: 1, b: 2 });
    const first = find('a');
    await settle();
    const others = ['b', 'c', 'b'].map((key) => find(key));
    await settle();
    expect(queries).toEqual([['a']]);
    await answer();
    expect(queries).toEqual([['a'], ['b', 'c']]);
    await answer();
    expect(await Promise.all([first, ...others])).toEqual([1, 2, undefined, 2]);
  });

  it('never answer from a query that was asked before them', async () => {
    const { find, queries, settle, answer, values } = slowTable({ a: 1 });
    const before = find('a');
    await settle();
    const after = find('a');
    await answer();
    expect(await before).toBe(1);
    delete values['a'];
    await answer();
    expect(await after).toBeUndefined();
    expect(queries).toEqual([['a'], ['a']]);
  });

  it('fail with their own query alone', async () => {
    const { find, settle, answer } = slowTable({ a: 1, b: 2 });
    const failed = expect(find('a')).rejects.toThrow('lost');
    await settle();
    const second = find('b');
    await answer(new Error('lost'));
    await failed;
    await answer();
    expect(await second).toBe(2);
    const third = find('a');
    await settle();
    await answer();
    expect(await third).toBe(1);
  });

  it('ask for no more than 500 keys at once', async () => {
    const { find, queries, settle, answer } = slowTable({});
    const found = Array.from({ length: 1_002 }, (_, n) => find(`key ${n}`));
    await settle();
    for (let n = 0; n < 3; n++) await answer();
    expect(queries.map(({ length }) => length)).toEqual([500, 500, 2]);
    expect(await Promise.all(found)).toEqual(Array(1_002).fill(undefined));
  });
});
