import { Logger } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import { DEMO_PEOPLE } from './demo-people.js';
import { DEMO_POSTS } from './demo-posts.js';
import { DemoShowcase } from './demo-showcase.js';

/** A showcase whose parts only remember what they were asked for. */
function showcase({ isLocked = false, fault }: { isLocked?: boolean; fault?: Error } = {}) {
  const done: string[] = [];
  const lines: string[] = [];
  let isDone = false;
  const client = {
    query: (sql: string) => {
      done.push(sql.includes('unlock') ? 'unlock' : 'lock');
      return Promise.resolve({ rows: [{ mine: !isLocked }] });
    },
    release: () => void done.push('release'),
  };
  const rows = DEMO_PEOPLE.map(({ email }) => ({ id: `id of ${email}`, email_key: email }));
  const pool = { connect: () => Promise.resolve(client), query: () => Promise.resolve({ rows }) };
  const files = {
    allDone: () => Promise.resolve(isDone),
    markAllDone: () => {
      isDone = true;
      return Promise.resolve();
    },
  };
  const note =
    (what: string) =>
    (...on: readonly unknown[]): Promise<string> => {
      done.push(what);
      if (fault && what === 'card' && on[0] === 'id of chiara@nova.example') return Promise.reject(fault);
      return Promise.resolve(`${what} id`);
    };
  const introductions = { describe: note('words'), showPicture: note('picture'), showCard: note('card') };
  const engagement = {
    publish: note('post'),
    look: note('look'),
    upvote: note('upvote'),
    follow: note('follow'),
    comment: note('comment'),
  };
  const made = new DemoShowcase(pool as never, files as never, introductions as never, engagement as never);
  const count = (what: string): number => done.filter((one) => one === what).length;
  return { made, done, count, lines, fill: () => made.fill((line) => lines.push(line)), isDone: () => isDone };
}

describe('the demo showcase', () => {
  beforeAll(() => Logger.overrideLogger(false));

  it('shows everybody and everything, and says so', async () => {
    const { fill, count, isDone, lines, done } = showcase();
    await fill();
    expect([count('words'), count('picture'), count('card')]).toEqual([24, 24, 24]);
    expect(count('post')).toBe(DEMO_POSTS.length);
    expect(count('look')).toBeGreaterThan(DEMO_POSTS.length * 3);
    expect(isDone()).toBe(true);
    expect(lines).toHaveLength(2);
    expect(done.slice(-2)).toEqual(['unlock', 'release']);
  });

  it('is made once', async () => {
    const { fill, done } = showcase();
    await fill();
    const before = done.length;
    await fill();
    expect(done).toHaveLength(before);
  });

  it('is left to another process that makes it already', async () => {
    const { fill, count, lines, isDone } = showcase({ isLocked: true });
    await fill();
    expect([count('words'), count('unlock'), count('release'), lines, isDone()]).toEqual([0, 0, 1, [], false]);
  });

  it('leaves out one thing that is refused', async () => {
    const { fill, count, isDone } = showcase({ fault: new AppError(400, 'INSUFFICIENT_NOVA', 'Too little Nova.') });
    await fill();
    expect([count('card'), count('post'), isDone()]).toEqual([24, DEMO_POSTS.length, true]);
  });

  it.each([
    ['a full disk', new Error('disk full')],
    ['too much at once', new AppError(503, 'BUSY', 'Please try again.')],
  ])('is gone on with by the next start after %s', async (_, fault) => {
    const { fill, count, isDone, lines, done } = showcase({ fault });
    await expect(fill()).resolves.toBeUndefined();
    expect([count('post'), isDone()]).toEqual([0, false]);
    expect(lines.at(-1)).toContain('the next start goes on');
    expect(done.slice(-2)).toEqual(['unlock', 'release']);
  });

  it('stops between two steps when the process is asked to', async () => {
    const { fill, made, count, isDone, lines, done } = showcase();
    const filled = fill();
    await made.beforeApplicationShutdown();
    await filled;
    expect([count('post'), isDone()]).toEqual([0, false]);
    expect(lines.join()).not.toContain('Not all');
    expect(done.at(-1)).toBe('release');
  });
});
