import type pg from 'pg';
import { ReadinessChecks } from './readiness.js';

describe('ReadinessChecks', () => {
  it('look once for all who ask at the same time, and again for who asks later', async () => {
    const query = jest.fn(() => Promise.resolve());
    const checks = new ReadinessChecks({ query } as unknown as pg.Pool);
    await Promise.all(Array.from({ length: 20 }, () => checks.run()));
    expect(query).toHaveBeenCalledTimes(1);
    expect(await checks.run()).toEqual({ database: { ok: true } });
    expect(query).toHaveBeenCalledTimes(2);
  });

  it('says why no connection to a name with two addresses came about', async () => {
    const refused = ['connect ECONNREFUSED ::1:5432', 'connect ECONNREFUSED 127.0.0.1:5432'];
    const pool = { query: () => Promise.reject(new AggregateError(refused.map((why) => new Error(why)))) };

    await expect(new ReadinessChecks(pool as unknown as pg.Pool).run()).resolves.toEqual({
      database: { ok: false, detail: refused.join(', ') },
    });
  });
});
