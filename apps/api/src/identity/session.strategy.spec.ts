import type { FastifyRequest } from 'fastify';
import type { Config } from '../platform/config.js';
import { RateLimits } from '../platform/rate-limit/rate-limits.js';
import { SessionStrategy } from './session.strategy.js';
import type { Sessions } from './sessions.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the session of a request', () => {
  const known = 'known';
  let underWay: (() => void)[];
  let strategy: SessionStrategy;
  const ask = (ip: string, cookie: string) =>
    strategy.validate({ ip, cookies: { cookie }, headers: {} } as unknown as FastifyRequest);

  beforeEach(() => {
    underWay = [];
    const sessions = {
      isRemembered: (valueOf: (name: string) => string | undefined) => valueOf('cookie') === known,
      ofBrowser: () => new Promise<undefined>((resolve) => underWay.push(() => resolve(undefined))),
    };
    const limits = new RateLimits({ rateLimitFactor: 1 } as Config, {} as never);
    strategy = new SessionStrategy(sessions as unknown as Sessions, limits);
  });

  it('is looked for beside few others of the same network, and beside any of the next', async () => {
    const madeUp = Array.from({ length: 30 }, () => ask('203.0.113.1', 'made up'));
    await settled();
    expect(underWay).toHaveLength(3);
    const other = ask('192.0.2.1', 'made up');
    await settled();
    expect(underWay).toHaveLength(4);
    for (; underWay.length > 0; await settled()) for (const end of underWay.splice(0)) end();
    expect(await Promise.all([...madeUp, other])).toEqual(Array(31).fill(false));
  });

  it('waits for none where it is remembered', async () => {
    for (let count = 0; count < 30; count++) void ask('203.0.113.1', 'made up');
    await settled();
    void ask('203.0.113.1', known);
    await settled();
    expect(underWay).toHaveLength(4);
  });
});
