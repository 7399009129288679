import { AppError } from '../errors/app-error.js';
import { RateLimiter } from './rate-limiter.js';

const limiter = () => {
  const clock = { ms: 0 };
  return {
    clock,
    limiter: new RateLimiter({ count: 10, windowMs: 10_000, message: 'Slow down.', now: () => clock.ms }),
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

  it('takes back what did not count', () => {
    const { limiter: limits } = limiter();
    for (let i = 0; i < 10; i++) limits.take('a');
    limits.giveBack('a');
    limits.take('a');
    refusal(() => limits.take('a'));
  });
});
