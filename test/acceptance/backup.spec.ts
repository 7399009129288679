import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ScheduledBackups } from '../../apps/api/src/backup/scheduled-backups.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { EventStoreDbServer } from '../support/eventstoredb-server.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

jest.setTimeout(180_000);

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The command as `npm run -s backup` and the image start it. */
const command = (env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Said> =>
  new Promise((resolve) => {
    const whole = { PATH: process.env['PATH'] ?? '', ...env };
    execFile(process.execPath, ['dist/apps/api/src/backup/backup-cli.js', ...args], { env: whole }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });

const NAME = /nova-[\w-]+/;

describe('backups', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'nova-backups-'));
  const databases: TestDatabase[] = [];
  const folder = (name: string): string => {
    const made = path.join(root, name);
    mkdirSync(made);
    return made;
  };
  const empty = async (): Promise<TestDatabase> => {
    const database = await createTestDatabase('backup');
    databases.push(database);
    return database;
  };

  afterAll(async () => {
    for (const database of databases) await database.drop();
    rmSync(root, { recursive: true, force: true });
  });

  describe('by the command', () => {
    let api: TestApi;
    let ada: TestMember;
    let settings: Record<string, string>;

    beforeAll(async () => {
      const started = await signInAdmin(startTestApi);
      ({ api } = started);
      ada = await api.member({ displayName: 'Ada' });
      await grantNova(started.admin, ada.id, 1_234);
      const place = folder('by-command');
      settings = { DATABASE_URL: api.database.url, NOVA_DATA_DIR: folder('data'), BACKUP_FOLDER: place };
    });
    afterAll(() => api?.close());

    it('are made beside a server that runs, listed, restored into an empty database, and verified', async () => {
      const made = await command(settings);
      expect(made.code).toBe(0);
      expect(made.err).toMatch(/^The backup nova-\S+ is in .*by-command: \d+ tables, 0 files, 0 secrets\.$/m);
      const name = NAME.exec(made.err)?.[0] ?? '';
      expect((await command(settings, 'make')).code).toBe(0);
      const listed = (await command(settings, 'list')).out.trim().split('\n');
      expect(listed.length).toBeGreaterThan(0);
      expect(listed.at(-1)?.localeCompare(name)).toBeGreaterThanOrEqual(0);

      const target = await empty();
      const there = { ...settings, DATABASE_URL: target.url, NOVA_DATA_DIR: folder('restored') };
      const restored = await command(there, 'restore');
      expect([restored.code, restored.err]).toEqual([0, expect.stringContaining('is restored.')]);
      // It ends with verify.
      expect(restored.out + restored.err).toContain('All is well.');
      const { rows } = await target.pool.query(
        'select purchased + earned as nova from read.member_balance where user_id = $1',
        [ada.id],
      );
      expect(rows).toEqual([{ nova: '123400' }]);
      const again = await command(there, 'restore');
      expect([again.code, again.err]).toEqual([1, expect.stringContaining('There is an installation here already')]);
    });

    it('say in a sentence what is missing or wrong', async () => {
      const { BACKUP_FOLDER: _, ...without } = settings;
      expect(await command(without)).toMatchObject({ code: 1, err: expect.stringContaining('Set BACKUP_FOLDER') });
      const away = { ...settings, BACKUP_FOLDER: path.join(root, 'not-mounted') };
      expect(await command(away)).toMatchObject({ code: 1, err: expect.stringContaining('There is no folder') });
      expect(await command(settings, 'restore', 'nova-1')).toMatchObject({
        code: 1,
        err: expect.stringContaining('There is no backup nova-1'),
      });
      expect(await command(settings, 'burn')).toMatchObject({ code: 2, err: expect.stringContaining('usage:') });
    });
  });

  it('of an installation with an event store end with verify once that has its journal again', async () => {
    const eventStore = new EventStoreDbServer();
    await eventStore.start();
    const environment = { EVENTSTORE_URL: eventStore.connectionString };
    const database = await empty();
    const { api, admin } = await signInAdmin(startTestApi, { database, environment });
    try {
      await grantNova(admin, (await api.member()).id, 5);
      const place = folder('with-event-store');
      const settings = {
        DATABASE_URL: database.url,
        NOVA_DATA_DIR: folder('es-data'),
        BACKUP_FOLDER: place,
        ...environment,
      };
      const made = await command(settings, 'make');
      expect([made.code, made.err]).toEqual([0, expect.stringContaining('The journal is not in it')]);
      const restoreTo = async (more: Record<string, string>): Promise<Said> => {
        const target = await empty();
        const data = mkdtempSync(path.join(root, 'es-restored-'));
        return command({ ...settings, DATABASE_URL: target.url, NOVA_DATA_DIR: data, ...more }, 'restore');
      };
      const verified = await restoreTo({});
      expect(verified).toMatchObject({ code: 0, err: expect.stringContaining("the event store's is verified") });
      expect(verified.out + verified.err).toContain('All is well.');
      const bare = new EventStoreDbServer();
      await bare.start();
      const waiting = await restoreTo({ EVENTSTORE_URL: bare.connectionString });
      bare.kill();
      expect(waiting.code).not.toBe(0);
      expect(waiting.err).toContain('If it is not restored yet, restore it.');
    } finally {
      await api.close();
      eventStore.kill();
    }
  });

  it('are made when they are due, once by however many servers, and their age is told', async () => {
    const place = folder('scheduled');
    const environment = { BACKUP_FOLDER: place, BACKUP_EVERY_HOURS: '1' };
    const database = await empty();
    const here = await startTestApi({ database, environment });
    const there = await startTestApi({ database, environment });
    try {
      const look = (api: TestApi) => api.nova.app.get(ScheduledBackups).look();
      await Promise.all([look(here), look(there)]);
      await look(there);
      await look(here);
      const { out } = await command({ BACKUP_FOLDER: place }, 'list');
      expect(out.trim().split('\n')).toHaveLength(1);
      const browser = here.browser();
      const health = async () => (await browser.get('/health/ready')).body.checks.backups;
      expect(await health()).toEqual({ ok: true, detail: 'the last one is 0.0 hours old' });
      const metrics = await fetch(`${here.url}/metrics`).then((answer) => answer.text());
      const age = Number(/^nova_backup_age_seconds (\S+)$/m.exec(metrics)?.[1]);
      expect(age).toBeGreaterThanOrEqual(0);
      expect(age).toBeLessThan(120);
      rmSync(place, { recursive: true });
      await expect(look(here)).rejects.toThrow('There is no folder');
      expect(await health()).toMatchObject({
        ok: false,
        bearable: true,
        detail: 'the last one is 0.0 hours old; none could be made: the log says why',
      });
      expect(await browser.get('/health/ready')).toMatchObject({ status: 200, body: { status: 'degraded' } });
    } finally {
      await there.close();
      await here.close();
    }
  });
});
