import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../../test/support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { type Channel, ChannelListener } from './postgres/channel-listener.js';

const NAME = 'listener under test';

describe('listening to channels', () => {
  let database: TestDatabase;
  let listener: ChannelListener;

  beforeAll(async () => {
    database = await createTestDatabase('channel');
  });
  afterAll(() => database?.drop());
  beforeEach(() => {
    listener = makeListener(database.url);
  });
  afterEach(() => listener.close());

  const makeListener = (connectionString: string) => new ChannelListener({ connectionString, application_name: NAME });

  /** A channel that notes what it is told. */
  class Notes implements Channel {
    readonly heardSoFar: string[] = [];
    begun = 0;

    constructor(readonly name: string) {}

    heard(payload: string): void {
      this.heardSoFar.push(payload);
    }

    began(): void {
      this.begun += 1;
    }
  }

  const tell = (channel: string, payload: string) =>
    database.pool.query('select pg_notify($1, $2)', [channel, payload]);
  const connections = async (): Promise<number> =>
    (await database.pool.query('select from pg_stat_activity where application_name = $1', [NAME])).rowCount ?? 0;

  it('hears what is told there, and not elsewhere, from the moment that it says so', async () => {
    const news = new Notes('news');
    await tell('news', 'before');
    expect(listener.isListeningTo(news)).toBe(false);
    await listener.listen(news);
    expect(listener.isListeningTo(news)).toBe(true);
    expect(news.begun).toBe(1);
    await tell('gossip', 'elsewhere');
    await tell('news', 'one');
    await tell('news', '');
    await eventually(() => news.heardSoFar.length === 2);
    expect(news.heardSoFar).toEqual(['one', '']);
  });

  it('hears many channels over one connection, each its own, whatever its name, until it is forgotten', async () => {
    const [news, gossip, again] = [new Notes('news'), new Notes('Go"ssip'), new Notes('news')];
    await Promise.all([news, gossip].map((channel) => listener.listen(channel)));
    await listener.listen(again);
    await listener.listen(again);
    expect(await connections()).toBe(1);
    await tell('Go"ssip', 'a');
    await tell('news', 'b');
    await eventually(() => again.heardSoFar.length === 1);
    listener.forget(news);
    expect(listener.isListeningTo(news)).toBe(false);
    await tell('news', 'c');
    await eventually(() => again.heardSoFar.length === 2);
    expect([news, gossip, again].map(({ heardSoFar, begun }) => [heardSoFar, begun])).toEqual([
      [['b'], 1],
      [['a'], 1],
      [['b', 'c'], 1],
    ]);
  });

  it('listens again over a new connection when its own breaks, and says that something may have been missed', async () => {
    const channels = [new Notes('news'), new Notes('gossip')];
    for (const channel of channels) await listener.listen(channel);
    await database.pool.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
      NAME,
    ]);
    await eventually(() => channels.every(({ begun }) => begun === 2));
    for (const channel of channels) {
      expect(listener.isListeningTo(channel)).toBe(true);
      await tell(channel.name, 'after');
      await eventually(() => channel.heardSoFar.length > 0);
      expect(channel.heardSoFar).toEqual(['after']);
    }
    expect(await connections()).toBe(1);
  });

  it('has no connection before its first channel, and none once it is closed', async () => {
    const news = new Notes('news');
    expect(await connections()).toBe(0);
    await listener.listen(news);
    expect(await connections()).toBe(1);
    await listener.close();
    expect(listener.isListeningTo(news)).toBe(false);
    await eventually(async () => (await connections()) === 0);
  });

  it('goes on trying where nobody answers, until it is closed', async () => {
    listener = makeListener('postgres://nobody@127.0.0.1:1/none');
    const news = new Notes('news');
    await listener.listen(news);
    expect(listener.isListeningTo(news)).toBe(false);
    await sleep(120);
    expect(news.begun).toBe(0);
    await listener.close();
  });

  it('closes while it is connecting', async () => {
    const news = new Notes('news');
    const starting = listener.listen(news);
    await listener.close();
    await starting;
    expect(listener.isListeningTo(news)).toBe(false);
    await eventually(async () => (await connections()) === 0);
  });
});
