import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PostgresEventStore } from '@app/event-store';
import { grant, startWriter, ManualClock } from '../../../../libs/ledger/src/testing/writers.js';
import { randomCommands } from '../../../../libs/projections/src/testing/random-commands.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { EventStoreDbServer } from '../../../../test/support/eventstoredb-server.js';
import { S3Server } from '../../../../test/support/s3-server.js';
import { catchUpReadModels } from '../finance/catch-up.js';
import { replay } from '../finance/replay.js';
import { verdictOn, verify } from '../finance/verify.js';
import { readSettings } from '../platform/config.js';
import { migrate } from '../platform/database/data-source.js';
import { openStore } from '../platform/journal/open-store.js';
import { SCHEMA } from '../schema.js';
import { type BackupPlace, FolderPlace } from './backup-place.js';
import { BucketPlace } from './bucket-place.js';
import { dumpedTables } from './dump.js';
import { backupsIn, makeBackup, manifestOf } from './make-backup.js';
import { manifestKey, tableKey } from './manifest.js';
import { restoreBackup } from './restore-backup.js';

jest.setTimeout(120_000);

const KEEP = { days: 7, weeks: 5, months: 12 };
const AT = new Date('2026-03-01T04:00:00Z');
/** What a COPY has to keep apart: the marks of nothing, of ends of fields and lines, and of itself. */
const NAMES = ['Ada\tLovelace', 'N\\N', '\\.', 'مرحبا \u{1F319}', "O'Brien\r\n;--", ''];
const MEMBER = `
  insert into accounts (id, email, email_key, display_name, name_key, password_hash, pin_hash, tc_version, tc_accepted_at)
  select id, id || '@nova.test', id || '@nova.test', name, lower(name), '', '', '1.0', now()
  from (select gen_random_uuid() as id, name from unnest($1::text[]) as given(name)) made`;

/** Every row of what is backed up, by table, in an order of its own. */
async function contentOf({ pool }: TestDatabase): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {};
  for (const { schema, name } of await dumpedTables(pool)) {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${schema}.${name} t order by 1`);
    content[`${schema}.${name}`] = rows.map(({ row }) => row);
  }
  return content;
}

describe('a backup of an installation', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'nova-backup-'));
  const dataDir = path.join(folder, 'data');
  const place = new FolderPlace(path.join(folder, 'backups'));
  const databases: TestDatabase[] = [];
  let source: TestDatabase;
  let name: string;

  const empty = async (): Promise<TestDatabase> => {
    const database = await createTestDatabase('restore');
    databases.push(database);
    return database;
  };
  const back = (to: TestDatabase, from: BackupPlace = place, data = mkdtempSync(path.join(folder, 'restored-'))) =>
    restoreBackup({ place: from, name, databaseUrl: to.url, dataDir: data, schema: SCHEMA, log: () => undefined });
  const make = (to: BackupPlace = place, at = AT) =>
    makeBackup({
      databaseUrl: source.url,
      place: to,
      dataDir,
      eventStoreUrl: undefined,
      withSecrets: true,
      keep: KEEP,
      at,
    });
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(dataDir, file)), { recursive: true });
    writeFileSync(path.join(dataDir, file), text);
  };

  beforeAll(async () => {
    source = await empty();
    await migrate(source.url, SCHEMA);
    const store = await openStore({ databaseUrl: source.url, eventStoreUrl: undefined });
    const writer = await startWriter({ store, clock: new ManualClock() });
    const next = randomCommands(7);
    await Promise.all(Array.from({ length: 500 }, () => writer.execute({ command: next(), actor: 'process' })));
    await writer.stop();
    await store.close();
    await source.pool.query(MEMBER, [NAMES]);
    await source.pool.query(`insert into profiles (account_id, bio) select id, E'a\\\\b\\n\\tc' from accounts`);
    write('uploads/9f/ab/one', 'a picture');
    write('uploads/9f/ac/two', 'a picture');
    write('uploads/tmp/under-way', 'half a pic');
    write('secrets/session', 'keep this to yourself');
    write('journal/key-1.json', '{}');
    write('journal/trust.json', '[]');
    write('journal/seen-head', '12:ab');
    mkdirSync(path.join(folder, 'backups'));
    ({ name } = await make());
  });

  afterAll(async () => {
    for (const database of databases) await database.drop();
    rmSync(folder, { recursive: true });
  });

  it('restores each row, file and secret, and verify finds all of it well', async () => {
    const target = await empty();
    const restored = mkdtempSync(path.join(folder, 'restored-'));
    await back(target, place, restored);
    expect(await contentOf(target)).toEqual(await contentOf(source));
    const files = readdirSync(restored, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(
      files.map(({ parentPath, name: file }) => path.relative(restored, path.join(parentPath, file))).toSorted(),
    ).toEqual([
      'journal/key-1.json',
      'journal/trust.json',
      'secrets/session',
      'uploads/9f/ab/one',
      'uploads/9f/ac/two',
    ]);
    expect(readFileSync(path.join(restored, 'uploads/9f/ac/two'), 'utf8')).toBe('a picture');

    const store = await PostgresEventStore.open({ connectionString: target.url });
    const logger = { info: () => undefined, error: (message: string) => expect(message).toBe('no error') };
    await catchUpReadModels({ pool: target.pool, store, connectionString: target.url, logger });
    const findings = [];
    for await (const finding of verify({ store, pool: target.pool, connectionString: target.url })) {
      findings.push(finding);
    }
    expect(findings.filter((finding) => verdictOn(finding) !== 'ok')).toEqual([]);
    expect((await replay(store, {})).head.revision).toBeGreaterThan(100);
    // What is appended next stands after all that was restored.
    const writer = await startWriter({ store, clock: new ManualClock() });
    await writer.execute({ command: randomCommands(8)(), actor: 'process' });
    await writer.stop();
    await store.close();
  });

  it('has no secret unless it is asked for, but says who signs the journal', async () => {
    const other = new FolderPlace(path.join(folder, 'without'));
    mkdirSync(path.join(folder, 'without'));
    const made = await makeBackup({
      databaseUrl: source.url,
      place: other,
      dataDir,
      eventStoreUrl: undefined,
      withSecrets: false,
      keep: KEEP,
    });
    expect([made.secrets, made.files.map(({ path: file }) => file).toSorted()]).toEqual([
      [],
      ['journal/trust.json', 'uploads/9f/ab/one', 'uploads/9f/ac/two'],
    ]);
  });

  it('has no journal where that is in an event store, and restores without one', async () => {
    const [from, target] = [await empty(), await empty()];
    await migrate(from.url, SCHEMA);
    await from.pool.query(MEMBER, [NAMES]);
    const other = new FolderPlace(path.join(folder, 'event-store'));
    mkdirSync(path.join(folder, 'event-store'));
    const parts = { place: other, dataDir: path.join(folder, 'nothing'), withSecrets: false, keep: KEEP };
    const eventStore = new EventStoreDbServer();
    await eventStore.start();
    const elsewhere = { ...parts, databaseUrl: from.url, eventStoreUrl: eventStore.connectionString };
    expect((await makeBackup(elsewhere)).journalEnd).toBeUndefined();
    const journal = await openStore(elsewhere);
    const writer = await startWriter({ store: journal, clock: new ManualClock() });
    await writer.execute(grant('ada', 100n));
    const { head } = writer;
    await writer.stop();
    await journal.close();
    const made = await makeBackup({ ...elsewhere, at: AT });
    eventStore.kill();
    expect(made).toMatchObject({ hasJournal: false, journalEnd: { revision: head.revision, hash: head.hash } });
    const restored = { ...parts, name: made.name, databaseUrl: target.url, schema: SCHEMA, log: () => undefined };
    expect((await restoreBackup(restored)).hasJournal).toBe(false);
    expect(await contentOf(target)).toEqual(await contentOf(from));
  });

  it('shares files with the others, and goes when the rule keeps it no longer', async () => {
    const later = await make(place, new Date('2026-03-01T16:00:00Z'));
    expect(await backupsIn(place)).toEqual([later.name]);
    const keys: string[] = [];
    for await (const key of place.list('files/')) keys.push(key);
    expect(keys).toHaveLength(2);
    ({ name } = later);
  });

  it('is none before it is whole', async () => {
    await place.remove(manifestKey(name));
    expect(await backupsIn(place)).toEqual([]);
    ({ name } = await make());
    expect(await backupsIn(place)).toEqual([name]);
  });

  it('never goes over an installation that is there, nor over a file', async () => {
    await expect(back(source)).rejects.toThrow('There is an installation here already');
    const other = mkdtempSync(path.join(folder, 'restored-'));
    mkdirSync(path.join(other, 'secrets'));
    writeFileSync(path.join(other, 'secrets/session'), 'another');
    await expect(back(await empty(), place, other)).rejects.toThrow('secrets/session already');
    expect(readFileSync(path.join(other, 'secrets/session'), 'utf8')).toBe('another');
  });

  it('is refused where it is damaged or of a newer release, and leaves the database empty', async () => {
    const target = await empty();
    const file = path.join(folder, 'backups', manifestKey(name));
    const manifest = readFileSync(file, 'utf8');
    const refused = async (change: (from: string) => string, sentence: string): Promise<void> => {
      writeFileSync(file, change(manifest));
      await expect(back(target)).rejects.toThrow(sentence);
    };
    await refused((from) => from.slice(1), 'list of contents is damaged');
    await refused((from) => from.replace('"format":1', '"format":2'), 'The backup has format 2');
    await refused((from) => from.replace('uploads/9f/ab/one', '../../etc/cron.d/x'), 'list of contents is damaged');
    await refused((from) => from.replace('"migrations":[', '"migrations":["later_step_1",'), 'of a newer release');
    await refused((from) => from.replace(/("name":"accounts".*?"rows":)\d+/, '$199'), 'accounts is not as it was');
    writeFileSync(file, manifest);
    const rows = path.join(folder, 'backups', tableKey(name, { schema: 'public', name: 'accounts' }));
    const good = readFileSync(rows);
    writeFileSync(rows, Buffer.concat([good.subarray(0, 30), Buffer.from([1, 2, 3]), good.subarray(33)]));
    await expect(back(target)).rejects.toThrow('The backup is damaged');
    writeFileSync(rows, good.subarray(0, good.length - 12));
    await expect(back(target)).rejects.toThrow('The backup is damaged');
    writeFileSync(rows, good);
    expect((await target.pool.query('select from accounts')).rowCount).toBe(0);
    await back(target);
    expect(await contentOf(target)).toEqual(await contentOf(source));
  });

  it('says when its folder is away, and keeps nothing half written there', async () => {
    const away = new FolderPlace(path.join(folder, 'not-mounted'));
    await expect(make(away)).rejects.toThrow('There is no folder');
    expect(readdirSync(folder)).not.toContain('not-mounted');
  });

  it('may be in a bucket', async () => {
    const server = await S3Server.start();
    const { to } = readSettings({ ...server.environment, BACKUP_BUCKET: 'nova-test' }).backups;
    const bucket = new BucketPlace(to as Exclude<typeof to, string | undefined>);
    ({ name } = await make(bucket));
    expect((await manifestOf(bucket, name)).files).toHaveLength(3);
    const target = await empty();
    await back(target, bucket);
    expect(await contentOf(target)).toEqual(await contentOf(source));
    await server.close();
  });
});
