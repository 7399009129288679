import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import type { BatchClient } from '../read-model.js';
import { AppendTable, copyRows } from './append-table.js';
import { writeTables } from './statements.js';
import { idTextSql } from './id-bytes.js';
import { idAsBytes, integer, mostlyZero, nullable, Table, text } from './table.js';

/** As the runner's client is; here every statement is waited for. */
const pipelinedOn = (client: Client): BatchClient => ({ pipeline: true, query: client.query.bind(client) });

describe('rows that a rebuild writes', () => {
  let database: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await createTestDatabase('append_table');
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  beforeEach(() => client.query('drop table if exists noted; create table noted (n integer primary key, words text)'));
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const declared = new Table('noted', { columns: { n: integer, words: nullable(text) } });
  const table = () => new AppendTable(declared);
  const rows = async (): Promise<unknown[]> =>
    (await client.query({ text: 'select n, words from noted order by n', rowMode: 'array' })).rows;

  it('arrive as they are, whatever is in them', async () => {
    const words = ['plain', '', null, '\\N', 'a\tb\nc\rd\\', 'Grüße, 世界 🎁', "it's", '\\.'];
    const noted = table();
    for (const [n, word] of words.entries()) noted.add({ n, words: word });
    await writeTables(client, [noted], 'all');
    expect(await rows()).toEqual(words.map((word, n) => [n, word]));
  });

  it('keep ids, whether they are UUIDs or not, and zeros that take no room', async () => {
    await client.query('create table if not exists known (id bytea not null, sum bigint)');
    const known = new Table('known', { columns: { id: idAsBytes, sum: mostlyZero } });
    const selection = known.select();
    const ids = ['0193a000-0000-7000-8000-00000000000a', 'member-1', 'sixteen-letters-', ''];
    for (const pipelined of [true, false]) {
      await client.query('truncate known');
      const written = new AppendTable(known);
      for (const [n, id] of ids.entries()) written.add({ id, sum: BigInt(n) });
      await writeTables(pipelined ? pipelinedOn(client) : client, [written], 'all');
      const { rows: found } = await client.query(
        `select ${selection.of('k')}, ${idTextSql('id')} as said from known k order by sum nulls first`,
      );
      expect(found.map((row) => selection.read(row))).toEqual(ids.map((id, n) => ({ id, sum: BigInt(n), said: id })));
      expect((await client.query('select 1 from known where sum is null')).rowCount).toBe(1);
    }
    const { rows: sizes } = await client.query('select length(id) as bytes from known order by sum nulls first');
    expect(sizes.map(({ bytes }) => bytes)).toEqual([16, 8, 17, 0]);
  });

  it('are gathered while those before are written, and all there in the end', async () => {
    const noted = table();
    for (let n = 0; n < 40_000; n += 1) {
      noted.add({ n, words: `word ${n}` });
      if (noted.isFull) await writeTables(client, [noted], 'full');
    }
    await writeTables(client, [noted], 'all');
    expect((await client.query('select count(*)::int as n, max(n) as last from noted')).rows).toEqual([
      { n: 40_000, last: 39_999 },
    ]);
  });

  it('that Postgres refuses are told of in the end, at the latest', async () => {
    const noted = table();
    noted.add({ n: 1, words: 'once' });
    noted.add({ n: 1, words: 'twice' });
    await noted.write(client);
    await expect(writeTables(client, [noted], 'all')).rejects.toThrow('duplicate key');
  });

  it('may be refused, and so may their statement, without harm to what comes next', async () => {
    await expect(copyRows(client, 'copy noted from stdin', '1\tone\nno number\ttwo\n')).rejects.toThrow(/integer/);
    await expect(copyRows(client, 'copy nowhere from stdin', '1\tone\n')).rejects.toThrow(/nowhere/);
    expect(await rows()).toEqual([]);
    await copyRows(client, 'copy noted from stdin', '1\tone\n');
    expect(await rows()).toEqual([[1, 'one']]);
  });

  it('are refused where the connection ends', async () => {
    const other = new Client({ connectionString: database.url });
    other.on('error', () => undefined);
    await other.connect();
    const { rows: found } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
    await client.query('begin; lock table noted');
    const copied = copyRows(other, 'copy noted from stdin', '1\tone\n');
    await client.query('select pg_terminate_backend($1)', [found[0]?.pid]);
    await expect(copied).rejects.toThrow();
    await client.query('rollback');
    await other.end().catch(() => undefined);
  });
});
