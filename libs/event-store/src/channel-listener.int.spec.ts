import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { ChannelListener } from './postgres/channel-listener.js';

const NAME = 'listener under test';

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 5_000; !(await holds()); await sleep(5)) {
    if (Date.now() > deadline) throw new Error('not within 5 s');
  }
}

describe('listening to a channel', () => {
  let database: TestDatabase;
  let heard: string[];
  let begun: number;
  let listener: ChannelListener;

  beforeAll(async () => {
    database = await createTestDatabase('channel');
  });
  afterAll(() => database?.drop());
  beforeEach(() => {
    heard = [];
    begun = 0;
    listener = makeListener(database.url);
  });
  afterEach(() => listener.close());

  function makeListener(connectionString: string): ChannelListener {
    return new ChannelListener(
      { connectionString, application_name: NAME },
      { name: 'news', heard: (payload) => heard.push(payload), began: () => (begun += 1) },
    );
  }

  const tell = (channel: string, payload: string) =>
    database.pool.query('select pg_notify($1, $2)', [channel, payload]);
  const connections = async (): Promise<number> =>
    (await database.pool.query('select from pg_stat_activity where application_name = $1', [NAME])).rowCount ?? 0;

  it('hears what is told there, and not elsewhere, from the moment that it says so', async () => {
    await tell('news', 'before');
    expect(listener.isListening).toBe(false);
    await listener.start();
    expect(listener.isListening).toBe(true);
    expect(begun).toBe(1);
    await tell('gossip', 'elsewhere');
    await tell('news', 'one');
    await tell('news', '');
    await until(() => heard.length === 2);
    expect(heard).toEqual(['one', '']);
  });

  it('listens again over a new connection when its own breaks, and says that something may have been missed', async () => {
    await listener.start();
    await database.pool.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
      NAME,
    ]);
    await until(() => !listener.isListening || begun === 2);
    await until(() => listener.isListening);
    expect(begun).toBe(2);
    await tell('news', 'after');
    await until(() => heard.length > 0);
    expect(heard).toEqual(['after']);
    expect(await connections()).toBe(1);
  });

  it('has one connection however often it is started, and none once it is closed', async () => {
    await Promise.all([listener.start(), listener.start()]);
    expect(await connections()).toBe(1);
    await listener.close();
    expect(listener.isListening).toBe(false);
    await until(async () => (await connections()) === 0);
  });

  it('goes on trying where nobody answers, until it is closed', async () => {
    listener = makeListener('postgres://nobody@127.0.0.1:1/none');
    await listener.start();
    expect(listener.isListening).toBe(false);
    await sleep(120);
    expect(begun).toBe(0);
    await listener.close();
  });

  it('closes while it is connecting', async () => {
    const starting = listener.start();
    await listener.close();
    await starting;
    expect(listener.isListening).toBe(false);
    await until(async () => (await connections()) === 0);
  });
});
