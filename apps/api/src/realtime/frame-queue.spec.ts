import { eventually } from '../../../../test/support/eventually.js';
import { FrameQueue, TokenBucket } from './frame-queue.js';
import { FRAME_BYTES_WAITING_MAX, FRAMES_WAITING_MAX } from './limits.js';

describe('token bucket', () => {
  it('lets some go at once, and then so many a second', () => {
    let now = 0;
    const bucket = new TokenBucket({ perSecond: 10, atOnce: 3, now: () => now });
    expect([1, 2, 3, 4, 5].map(() => bucket.take())).toEqual([0, 0, 0, 100, 200]);
    now = 200;
    expect(bucket.take()).toBe(100);
    now = 10_000;
    expect([1, 2, 3, 4].map(() => bucket.take())).toEqual([0, 0, 0, 100]);
  });
});

describe('frame queue', () => {
  const open = (given: { perSecond?: number; atOnce?: number; work?: (frame: number) => Promise<void> } = {}) => {
    const told: string[] = [];
    const { perSecond = 1_000, atOnce = 1_000 } = given;
    const queue = new FrameQueue<number>({
      // No time passes for this bucket: how long a frame waits depends only on the frames before it.
      bucket: new TokenBucket({ perSecond, atOnce, now: () => 0 }),
      work: given.work ?? (async (frame) => void told.push(String(frame))),
      onSlowed: () => void told.push('slowed'),
      onFlood: () => void told.push('flood'),
    });
    return { queue, told };
  };
  const settle = (ms = 20) => new Promise((resolve) => setTimeout(resolve, ms));

  it('works one off after the other, in their order', async () => {
    const done: number[] = [];
    let underWay = 0;
    const { queue } = open({
      work: async (frame) => {
        underWay += 1;
        expect(underWay).toBe(1);
        await settle(5 - frame);
        underWay -= 1;
        done.push(frame);
      },
    });
    for (const frame of [1, 2, 3]) queue.push(frame, 1);
    await eventually(() => done.length === 3);
    expect(done).toEqual([1, 2, 3]);
  });

  it('goes on with what comes after a pause', async () => {
    const { queue, told } = open();
    queue.push(1, 1);
    await settle();
    queue.push(2, 1);
    await eventually(() => told.length === 2);
    expect(told).toEqual(['1', '2']);
  });

  it('slows what comes too fast', async () => {
    const { queue, told } = open({ perSecond: 20, atOnce: 1 });
    const begin = performance.now();
    for (const frame of [1, 2, 3]) queue.push(frame, 1);
    await eventually(() => told.includes('3'));
    expect(told).toEqual(['1', 'slowed', '2', 'slowed', '3']);
    expect(performance.now() - begin).toBeGreaterThan(140);
  });

  it.each([
    ['frames', FRAMES_WAITING_MAX + 2, 1],
    ['bytes', 18, FRAME_BYTES_WAITING_MAX / 16],
  ])('ends a flood of %s once, and takes nothing more', async (_, count, bytes) => {
    const { queue, told } = open({ perSecond: 1, atOnce: 1 });
    for (let frame = 1; frame <= count; frame++) queue.push(frame, bytes);
    queue.push(0, 1);
    await settle();
    expect(told.filter((what) => what === 'flood')).toHaveLength(1);
    expect(told.indexOf('slowed')).toBeLessThan(told.indexOf('flood'));
    expect(told).toContain('slowed');
    expect(told).not.toContain('2');
  });

  it('drops what waits when it ends', async () => {
    const { queue, told } = open({ perSecond: 20, atOnce: 1 });
    for (const frame of [1, 2]) queue.push(frame, 1);
    queue.end();
    await settle(100);
    expect(told).not.toContain('2');
  });
});
