import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type EventStore, PostgresEventStore } from '@app/event-store';
import { PostgresSnapshots, SnapshotFollower } from '@app/ledger';
import { pino } from 'pino';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/postgres.js';
import { onInstallation, signNewJournal } from '../../../../../test/support/signed.js';
import { changeSigningKey, signingStatus } from '../../finance/signing.js';
import { withTerminalLedger } from '../../finance/terminal-ledger.js';
import { loadConfig } from '../config.js';
import { migrate } from '../database/data-source.js';
import { SCHEMA } from '../../schema.js';
import { openLedger } from './open-ledger.js';

describe('the ledger of a server', () => {
  let database: TestDatabase;
  let store: PostgresEventStore;
  beforeAll(async () => {
    database = await createTestDatabase('open_ledger');
    await migrate(database.url, SCHEMA);
    store = await PostgresEventStore.open({ connectionString: database.url });
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  const open = (from: EventStore) =>
    openLedger({
      config: loadConfig({ DATABASE_URL: database.url }),
      databaseUrl: database.url,
      store: from,
      envelope: 2,
      logger: pino({ level: 'silent' }),
      onFatal: (error) => {
        throw error;
      },
    });

  it('begins with the newest snapshot, and reads on from there', async () => {
    const first = await open(store);
    for (const userId of ['ann', 'bob', 'cid']) {
      const command = { type: 'GrantNova', userId, adminId: 'a', amount: 5n } as const;
      await first.writer.execute({ command, actor: 'admin:a' });
    }
    await first.close();
    await new SnapshotFollower({ store, snapshots: new PostgresSnapshots(database.pool), everyEvents: 1 }).advance();

    const begun: (number | undefined)[] = [];
    const watched = new Proxy(store, {
      get: (target, name) => {
        if (name === 'readStream') {
          return (...[stream, options]: Parameters<EventStore['readStream']>) => {
            begun.push(options?.from);
            return target.readStream(stream, options);
          };
        }
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const second = await open(watched);
    expect(second.writer.revision).toBe(2);
    expect(begun.length).toBeGreaterThan(0);
    expect(begun.every((from) => from === 2)).toBe(true);
    await second.close();
  });
});

describe('the ledger of a server, signed', () => {
  let database: TestDatabase;
  let store: PostgresEventStore;
  let dataDir: string;
  beforeAll(async () => {
    database = await createTestDatabase('seen_head');
    dataDir = mkdtempSync(path.join(tmpdir(), 'nova-seen-'));
    await signNewJournal(database, dataDir);
    store = await PostgresEventStore.open({ connectionString: database.url });
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const open = () =>
    openLedger({
      config: loadConfig({ DATABASE_URL: database.url, NOVA_DATA_DIR: dataDir }),
      databaseUrl: database.url,
      store,
      envelope: 2,
      logger: pino({ level: 'silent' }),
      onFatal: (error) => {
        throw error;
      },
    });
  const grantTo = async (...members: string[]): Promise<void> => {
    const ledger = await open();
    for (const userId of members) {
      const command = { type: 'GrantNova', userId, adminId: 'a', amount: 5n } as const;
      await ledger.writer.execute({ command, actor: 'admin:a' });
    }
    await ledger.close();
  };
  const seenHead = () => path.join(dataDir, 'journal', 'seen-head');
  const cutBackTo = (revision: number) =>
    database.pool.query(
      `delete from journal.events e using journal.streams s
       where s.id = e.stream and s.name = 'ledger' and e.revision > $1`,
      [revision],
    );
  const cutOff =
    'The journal was at revision 3 when it was last seen here, and no longer has that event: its end was cut off';

  it('is not opened, by nobody, where its end was cut off, until somebody vouches for what is left', async () => {
    await grantTo('ann', 'bob', 'cid');
    expect(readFileSync(seenHead(), 'utf8')).toMatch(/^3:[0-9a-f]{64}\n$/);
    // Every signature that is left holds.
    await cutBackTo(2);
    await expect(open()).rejects.toThrow(cutOff);
    const atTerminal = onInstallation(database, dataDir, (parts) => withTerminalLedger(parts, async () => undefined));
    await expect(atTerminal).rejects.toThrow(cutOff);
    await onInstallation(database, dataDir, changeSigningKey);
    await grantTo('eve');
    expect(readFileSync(seenHead(), 'utf8')).toMatch(/^4:/);
    expect(await onInstallation(database, dataDir, signingStatus)).toMatchObject({ isTrusted: true });
  });

  it('is not opened where another event stands at its end', async () => {
    const seen = readFileSync(seenHead(), 'utf8');
    writeFileSync(
      seenHead(),
      seen.replace(/[0-9a-f]\n$/, (end) => (end === '0\n' ? '1\n' : '0\n')),
    );
    await expect(open()).rejects.toThrow('The journal was at revision 4 when it was last seen here');
    writeFileSync(seenHead(), 'somewhere');
    await expect(open()).rejects.toThrow('seen-head must say how far the journal was seen, as REVISION:HASH.');
    writeFileSync(seenHead(), seen);
    await grantTo('fay');
  });
});
