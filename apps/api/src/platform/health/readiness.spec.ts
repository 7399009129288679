import type pg from 'pg';
import { ReadinessChecks } from './readiness.js';

describe('ReadinessChecks', () => {
  it('says why no connection to a name with two addresses came about', async () => {
    const refused = ['connect ECONNREFUSED ::1:5432', 'connect ECONNREFUSED 127.0.0.1:5432'];
    const pool = { query: () => Promise.reject(new AggregateError(refused.map((why) => new Error(why)))) };

    await expect(new ReadinessChecks(pool as unknown as pg.Pool).run()).resolves.toEqual({
      database: { ok: false, detail: refused.join(', ') },
    });
  });
});
