import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { renderDescription } from './describe.js';
import { descriptionSql } from './describe-sql.js';
import { STATEMENT_TYPES } from '@app/domain';

describe('descriptionSql', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('describe');
  });
  afterAll(() => database?.drop());

  it.each([
    ["Ada O'Hara", 'Chess Club', 'Say “hello”'],
    [null, null, null],
  ])('reads as renderDescription does, of %j, %j and %j', async (member, application, quest) => {
    const rows = STATEMENT_TYPES.flatMap((type) => [null, 'client'].map((clientId) => ({ type, clientId })));
    const sql = descriptionSql({
      type: 'r.type',
      clientId: 'r.client_id',
      member: '$1::text',
      application: '$2::text',
      quest: '$5::text',
    });
    const found = await database.pool.query<{ text: string }>(
      `select ${sql} as text from unnest($3::text[], $4::text[]) with ordinality r (type, client_id, n) order by n`,
      [member, application, rows.map(({ type }) => type), rows.map(({ clientId }) => clientId), quest],
    );
    const names = {
      member: () => member ?? undefined,
      application: () => application ?? undefined,
      quest: () => quest ?? undefined,
    };
    expect(found.rows.map(({ text }) => text)).toEqual(
      rows.map(({ type, clientId }) =>
        renderDescription({ type, clientId, counterpartyId: 'someone', subject: 'something' }, names),
      ),
    );
  });
});
