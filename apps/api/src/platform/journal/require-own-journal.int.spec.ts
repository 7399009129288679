import { encodeMemberEvent, LEDGER_STREAM, memberStream } from '@app/domain';
import { type EventStore, MemoryEventStore } from '@app/event-store';
import { ProjectionRunner, readModels } from '@app/projections';
import { grant, ManualClock, startWriter } from '../../../../../libs/ledger/src/testing/writers.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/postgres.js';
import { SCHEMA } from '../../schema.js';
import { migrate } from '../database/data-source.js';
import { requireOwnJournal } from './require-own-journal.js';

jest.setTimeout(60_000);

const FOLLOWED_MS_MAX = 30_000;
const NAMES = readModels.map(({ name }) => name);

/** Grants to members of these names, one after the other. */
async function grantTo(store: EventStore, ...userIds: readonly string[]): Promise<void> {
  const writer = await startWriter({ store, clock: new ManualClock() });
  for (const userId of userIds) await writer.execute(grant(userId, 100n));
  await writer.stop();
}

const followed = {
  id: crypto.randomUUID(),
  type: 'MemberFollowed',
  data: encodeMemberEvent({ type: 'MemberFollowed', at: 1, memberId: 'ada', otherId: 'bob' }),
  metadata: '{}',
};

describe('requireOwnJournal', () => {
  let database: TestDatabase;
  let store: MemoryEventStore;
  beforeEach(async () => {
    database = await createTestDatabase('own_journal');
    await migrate(database.url, SCHEMA);
    store = new MemoryEventStore();
    await grantTo(store, 'ada', 'bob');
    await store.append(memberStream('ada'), [followed], 'none');
    const runner = new ProjectionRunner({ store, connectionString: database.url, models: readModels });
    await runner.start();
    const last = (await store.head(memberStream('ada')))?.position ?? -1n;
    expect(await runner.waitForPosition(['follows'], last, FOLLOWED_MS_MAX)).toEqual({ projected: true });
    expect(await runner.waitFor(NAMES, 1, FOLLOWED_MS_MAX)).toEqual({ projected: true });
    await runner.stop();
  });
  afterEach(() => database.drop());

  const required = (journal: EventStore): Promise<void> => requireOwnJournal(database.pool, journal, 'esdb://other');

  it('takes the journal that the read models were made of, also when it has grown', async () => {
    await required(store);
    await grantTo(store, 'eve');
    await required(store);
  });

  it('refuses a longer journal of another history', async () => {
    const another = new MemoryEventStore();
    await grantTo(another, 'ada', 'eve', 'bob', 'ada');
    const own = await store.head(LEDGER_STREAM);
    await expect(required(another)).rejects.toThrow(
      `The journal where EVENTSTORE_URL points is another one: its event of revision 1 is not ${own?.id}, as this installation's is.`,
    );
  });

  it('refuses an older copy that lacks no event of the ledger', async () => {
    const older = new MemoryEventStore();
    for await (const events of store.readStream(LEDGER_STREAM)) await older.append(LEDGER_STREAM, events, 'none');
    await expect(required(older)).rejects.toThrow(
      "ends before the last event that this installation's read models have followed.",
    );
  });

  it('does not ask read models of another release', async () => {
    await database.pool.query("update read.checkpoint set version = version + 1 where name = 'statements'");
    await database.pool.query('drop table read.statements_row');
    await required(store);
  });
});
