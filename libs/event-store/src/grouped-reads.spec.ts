import type { QueryArrayConfig } from 'pg';
import { groupedReads } from './postgres/grouped-reads.js';

type Row = readonly unknown[];

/** @param read of a query for one stream, undefined */
const row = (read: number | undefined, stream: string, revision: number): Row => [
  ...(read === undefined ? [] : [read]),
  '7',
  stream,
  revision,
  `${stream}-${revision}`,
  'Happened',
  '{}',
  '{}',
];

describe('reads of short streams', () => {
  let queries: { readonly streams: string[]; readonly answer: (rows: Row[] | Error) => void }[];
  let read: ReturnType<typeof groupedReads>;
  beforeEach(() => {
    queries = [];
    read = groupedReads(
      <R extends unknown[]>({ values }: QueryArrayConfig) =>
        new Promise<R[]>((resolve, reject) => {
          const answer = (rows: Row[] | Error) => (rows instanceof Error ? reject(rows) : resolve(rows as R[]));
          queries.push({ streams: [values?.[0] as string | string[]].flat(), answer });
        }),
    );
  });
  const idsOf = async (stream: string): Promise<string[]> =>
    (await read({ stream, from: 0, size: 100 })).map(({ id }) => id);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  /** Each in a turn of the event loop of its own. */
  const asked = async (streams: readonly string[]): Promise<Promise<string[]>[]> => {
    const found: Promise<string[]>[] = [];
    for (const stream of streams) {
      found.push(idsOf(stream));
      await settled();
    }
    return found;
  };

  it('are asked at once while nothing is under way, and together while two queries are', async () => {
    const found = await asked(['a', 'b', 'c', 'd', 'c']);
    expect(queries.map(({ streams }) => streams)).toEqual([['a'], ['b']]);
    queries[1]?.answer([row(undefined, 'b', 0), row(undefined, 'b', 1)]);
    await settled();
    expect(queries[2]?.streams).toEqual(['c', 'd', 'c']);
    queries[2]?.answer([row(0, 'c', 0), row(2, 'c', 0)]);
    queries[0]?.answer([]);
    expect(await Promise.all(found)).toEqual([[], ['b-0', 'b-1'], ['c-0'], [], ['c-0']]);
  });

  it('are answered by a query that was sent after they were asked for', async () => {
    const first = idsOf('a');
    await settled();
    const second = idsOf('a');
    await settled();
    expect(queries).toHaveLength(2);
    queries[0]?.answer([]);
    queries[1]?.answer([row(undefined, 'a', 0)]);
    expect([await first, await second]).toEqual([[], ['a-0']]);
  });

  it('that fail do so together, and those that come later are asked anew', async () => {
    const found = Promise.allSettled(await asked(['a', 'b', 'c', 'd']));
    queries[0]?.answer(new Error('the database is away'));
    await settled();
    queries[2]?.answer(new Error('the database is away'));
    queries[1]?.answer([]);
    expect((await found).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'rejected']);
    const later = idsOf('a');
    await settled();
    queries[3]?.answer([row(undefined, 'a', 0)]);
    expect(await later).toEqual(['a-0']);
  });

  it('share no more than a hundred to a query', async () => {
    const found = Promise.all(Array.from({ length: 203 }, (_, n) => idsOf(`s${n}`)));
    await settled();
    expect(queries.map(({ streams }) => streams.length)).toEqual([100, 100]);
    queries[0]?.answer([]);
    await settled();
    expect(queries[2]?.streams).toEqual(['s200', 's201', 's202']);
    for (const { answer } of queries.slice(1)) answer([]);
    expect((await found).flat()).toEqual([]);
  });
});
