import { MediaTurns } from './media-turns.js';

const settled = () => new Promise(setImmediate);

describe('turns at working on files', () => {
  it('are two at a time, in order, also when one fails; and too many are sent away', async () => {
    const turns = new MediaTurns();
    const ends: ((fail: boolean) => void)[] = [];
    const started: number[] = [];
    const work = (number: number) =>
      turns.take(() => {
        started.push(number);
        return new Promise<number>((resolve, reject) => {
          ends.push((fail) => (fail ? reject(new Error('broken')) : resolve(number)));
        });
      });
    const all = Array.from({ length: 52 }, (_, number) => work(number));
    await settled();
    expect(started).toEqual([0, 1]);
    await expect(work(52)).rejects.toMatchObject({ statusCode: 503, code: 'UPLOADS_BUSY' });
    ends[0]?.(true);
    await expect(all[0]).rejects.toThrow('broken');
    await settled();
    expect(started).toEqual([0, 1, 2]);
    for (let done = 1; done < all.length; done++) {
      ends[done]?.(false);
      await all[done];
      await settled();
    }
    expect(started).toHaveLength(52);
    const last = work(99);
    await settled();
    expect(started.at(-1)).toBe(99);
    ends.at(-1)?.(false);
    await expect(last).resolves.toBe(99);
  });
});
