import { AppError } from '../errors/app-error.js';
import { RateLimiter } from './rate-limiter.js';

const limiter = () => {
  const clock = { ms: 0 };
  return {
    clock,
    limiter: new RateLimiter({ name: 'test', count: 10, windowMs: 10_000, message: 'Slow down.', now: () => clock.ms }),
  };
};
const refusal = (run: () => void): AppError => {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('nothing was refused');
};

describe('rate limiter', () => {
  it('lets so many go, then says when the window ends', () => {
    const { clock, limiter: limits } = limiter();
    for (let i = 0; i < 10; i++) limits.take('a');
    clock.ms = 2_500;
    expect(refusal(() => limits.take('a'))).toMatchObject({
      statusCode: 429,
      code: 'TOO_MANY_REQUESTS',
      message: 'Slow down.',
      retryAfterSeconds: 8,
    });
  });

  it('counts each key alone', () => {
    const { limiter: limits } = limiter();
    for (let i = 0; i < 10; i++) limits.take('a');
    expect(() => limits.take('b')).not.toThrow();
  });

  it('begins a new window when the old one has ended', () => {
    const { clock, limiter: limits } = limiter();
    for (let i = 0; i < 10; i++) limits.take('a');
    clock.ms = 9_999;
    refusal(() => limits.take('a'));
    clock.ms = 10_000;
    for (let i = 0; i < 10; i++) limits.take('a');
    refusal(() => limits.take('a'));
  });

  it('forgets the oldest window alone where there are too many, and none that began anew since', () => {
    const { clock, limiter: limits } = limiter();
    const exhaust = (key: string) => {
      for (let i = 0; i < 10; i++) limits.take(key);
    };
    exhaust('renewed');
    clock.ms = 5_000;
    for (const key of ['oldest', 'next']) exhaust(key);
    clock.ms = 10_000;
    exhaust('renewed');
    for (let i = 3; i < 100_000; i++) limits.take(`key ${i}`);
    exhaust('newest');
    for (const key of ['renewed', 'next', 'newest']) refusal(() => limits.take(key));
    expect(() => limits.take('oldest')).not.toThrow();
  });

  it('says how long to wait for the next, and takes none by that', () => {
    const { clock, limiter: limits } = limiter();
    expect(limits.waitMs('a')).toBe(0);
    for (let i = 0; i < 10; i++) limits.take('a');
    clock.ms = 2_500;
    expect([limits.waitMs('a'), limits.waitMs('b')]).toEqual([7_500, 0]);
    clock.ms = 10_000;
    expect(limits.waitMs('a')).toBe(0);
    for (let i = 0; i < 10; i++) limits.take('a');
  });

  it('takes back what did not count', () => {
    const { limiter: limits } = limiter();
    for (let i = 0; i < 10; i++) limits.take('a');
    limits.giveBack('a');
    limits.take('a');
    refusal(() => limits.take('a'));
  });
});
