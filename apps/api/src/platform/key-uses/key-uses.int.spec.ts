import { LedgerOutcomeUnknown } from '@app/ledger';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/postgres.js';
import { AppError } from '../errors/app-error.js';
import { KeyUses } from './key-uses.js';
import { keyUsesMigrations } from './migrations.js';

const REUSED = { statusCode: 422, code: 'IDEMPOTENCY_KEY_REUSED' };

describe('uses of keys', () => {
  let database: TestDatabase;
  let uses: KeyUses;
  let keys = 0;
  beforeAll(async () => {
    database = await createTestDatabase('keyuses');
    for (const { sql } of keyUsesMigrations) await database.pool.query(sql);
    uses = new KeyUses(database.pool);
  });
  afterAll(() => database?.drop());

  const newKey = (): string => `key ${(keys += 1)}`;
  const use = (key: string, body: string, work: () => Promise<string> = () => Promise.resolve(body)) =>
    uses.guard({ scope: 'member:ada:cards.upvote', key, body: [body] }, work);
  const refuse = (): Promise<never> => Promise.reject(new AppError(409, 'NOT_NOW', 'Not now.'));

  it('are remembered with their bodies, each caller’s apart', async () => {
    const key = newKey();
    expect([await use(key, 'a'), await use(key, 'a')]).toEqual(['a', 'a']);
    await expect(use(key, 'b')).rejects.toMatchObject(REUSED);
    const another = { scope: 'member:bob:cards.upvote', key, body: ['b'] };
    expect(await uses.guard(another, () => Promise.resolve('b'))).toBe('b');
  });

  it('that were refused are forgotten, but for those that may have taken effect', async () => {
    const key = newKey();
    await expect(use(key, 'a', refuse)).rejects.toMatchObject({ code: 'NOT_NOW' });
    expect(await use(key, 'b')).toBe('b');
    const unknown = newKey();
    await expect(use(unknown, 'a', () => Promise.reject(new LedgerOutcomeUnknown()))).rejects.toThrow();
    await expect(use(unknown, 'b')).rejects.toMatchObject(REUSED);
  });

  it('are remembered while one of several is not refused', async () => {
    const key = newKey();
    await use(key, 'a', async () => {
      await expect(use(key, 'a', refuse)).rejects.toMatchObject({ code: 'NOT_NOW' });
      await expect(use(key, 'b')).rejects.toMatchObject(REUSED);
      return 'a';
    });
    await expect(use(key, 'b')).rejects.toMatchObject(REUSED);
  });
});
