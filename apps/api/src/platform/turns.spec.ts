import { AppError } from './errors/app-error.js';
import { Turns } from './turns.js';

const settled = () => new Promise(setImmediate);

describe('Turns', () => {
  it('lets two work at a time, in order, also when one fails; and sends too many away', async () => {
    const turns = new Turns({
      atOnceMax: 2,
      waitingMax: 50,
      busy: () => new AppError(503, 'BUSY', 'Please try again.'),
    });
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
    await expect(work(52)).rejects.toMatchObject({ statusCode: 503, code: 'BUSY' });
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
