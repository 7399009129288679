import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { EventStoreDbServer } from '../support/eventstoredb-server.js';
import { eventually } from '../support/eventually.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { GiftLoad } from './gift-load.js';
import { expectInTime, statuses } from './troubled-api.js';

jest.setTimeout(240_000);

/**
 * `EVENTSTORE_URL` names several nodes, and only one answers, without a leader: requests get 503 in the meantime, no
 * process ends, and everything continues by itself once there is a leader again.
 */
describe('a cluster of the event store without a leader', () => {
  const node = new EventStoreDbServer();
  let database: TestDatabase;
  let api: TestApi;
  let load: GiftLoad;
  let members: TestMember[];

  beforeAll(async () => {
    await node.start();
    database = await createTestDatabase('quorum');
    const environment = { EVENTSTORE_URL: node.clusterConnectionString };
    const started = await signInAdmin(startTestApi, { database, environment });
    ({ api } = started);
    members = [await api.member(), await api.member()];
    for (const { id } of members) await grantNova(started.admin, id, 10_000_000);
    load = new GiftLoad(members, [api.url]);
  });
  afterAll(async () => {
    await api?.close();
    await database?.drop();
    node.kill();
  });

  const isReady = () => fetch(`${api.url}/health/ready`).then(({ ok }) => ok);
  const follow = async () => {
    const [ada, bob] = members;
    return (await ada?.browser.post(`/api/users/${bob?.id}/follow`))?.status;
  };

  it('is answered with 503 until it has one, for the ledger and for every other stream', async () => {
    const over = { over: false };
    const sending = load.sendUntil(over, 6);
    await eventually(
      async () => load.sent,
      (sent) => sent > 20,
    );
    node.loseQuorum();
    await eventually(isReady, (ready) => !ready);
    // Existing connections break during the election.
    node.kill();
    await node.start();
    over.over = true;
    const answers = [...(await sending), ...(await load.send(4))];
    expectInTime(answers);
    expect(statuses(answers)).toContain(503);
    expect(await follow()).toBe(503);
    expect(await isReady()).toBe(false);
    node.findQuorum();
    await eventually(isReady, (ready) => ready);
    expect(await follow()).toBeLessThan(300);
    expect(statuses(await load.send(4))).toEqual([201]);
    await load.settle();
    await load.expectBooks({ databaseUrl: database.url, eventStoreUrl: node.connectionString });
  });
});
