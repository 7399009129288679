import { AppError } from './errors/app-error.js';
import { FairTurns, type FairTurnsOptions } from './fair-turns.js';

const settled = () => new Promise(setImmediate);

/** One at a time, 3 waiting for a path, 12 in all. */
const start = (limits: Partial<FairTurnsOptions> = {}) => {
  const turns = new FairTurns({
    atOnceMax: 1,
    waitingOfOneMax: 3,
    waitingMax: 12,
    ...limits,
    busy: () => new AppError(503, 'BUSY', 'Please try again.'),
  });
  const started: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  const come = (name: string, ...path: string[]): void => {
    const work = () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    turns.take(path, work).catch(() => refused.push(name));
  };
  /** Ends one piece of work after the other until so many have started. */
  const goOn = async (count: number): Promise<string[]> => {
    const before = started.length;
    for (let n = 0; n < count; n++) {
      ends.shift()?.();
      await settled();
    }
    return started.slice(before);
  };
  return { turns, come, goOn, started, refused };
};

describe('fair turns', () => {
  it('serve the newcomer of another network next, while 500 of one network ask', async () => {
    const { come, goOn, refused } = start();
    for (let n = 0; n < 500; n++) come(`a${n}`, 'a');
    come('b', 'b');
    await settled();
    // One is at work, three wait, and the rest was sent away at once.
    expect(refused).toHaveLength(496);
    expect(await goOn(2)).toEqual(['a1', 'b']);
    expect(refused).not.toContain('b');
  });

  it('alternate between networks, each in the order of arrival', async () => {
    const { come, goOn } = start();
    for (const name of ['a0', 'a1', 'a2', 'a3', 'b1', 'b2', 'c1']) come(name, name.charAt(0));
    await settled();
    expect(await goOn(6)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('give a site of many networks no more turns than a site of one', async () => {
    const { come, goOn } = start();
    for (let n = 0; n < 6; n++) come(`flood${n}`, 'site', `network ${n}`);
    come('bystander', 'elsewhere', 'home');
    come('neighbour', 'site', 'last network');
    await settled();
    expect((await goOn(3)).slice(0, 2)).toEqual(['flood1', 'bystander']);
  });

  it('send the newest of the largest crowd away when all places are taken, and not the newcomer', async () => {
    const { come, goOn, refused } = start({ waitingMax: 6 });
    for (let n = 0; n <= 6; n++) come(`flood${n}`, 'site', `network ${n}`);
    come('b1', 'b', 'b');
    come('b2', 'b', 'b');
    await settled();
    expect(refused).toEqual(['flood6', 'flood5']);
    expect(await goOn(4)).toEqual(['flood1', 'b1', 'flood2', 'b2']);
  });

  it('send the newcomer away when all places are taken, by one network each', async () => {
    const { come, refused } = start({ waitingMax: 4 });
    for (let n = 0; n <= 4; n++) come(`each${n}`, `network ${n}`);
    come('newcomer', 'another');
    await settled();
    expect(refused).toEqual(['newcomer']);
  });

  it('keep room for others, however much of one network waits', async () => {
    const { come, goOn, started } = start({ atOnceMax: 3, atOnceOfOneMax: 2 });
    for (const name of ['a0', 'a1', 'a2']) come(name, 'site', 'a');
    come('b0', 'b');
    await settled();
    expect(started).toEqual(['a0', 'a1', 'b0']);
    // It waits for its own network alone, and nobody waits for it.
    come('b1', 'b');
    expect(await goOn(1)).toEqual(['a2']);
    expect(await goOn(1)).toEqual(['b1']);
  });

  it('send away who waits for too long, and nobody else', async () => {
    jest.useFakeTimers();
    try {
      const { come, goOn, refused, turns } = start({ waitMsMax: 1_000 });
      for (const name of ['a0', 'a1']) come(name, 'site', 'a');
      await jest.advanceTimersByTimeAsync(600);
      come('b', 'b');
      await jest.advanceTimersByTimeAsync(500);
      expect(refused).toEqual(['a1']);
      expect(turns).toMatchObject({ root: { size: 1 } });
      await jest.advanceTimersByTimeAsync(0);
      jest.useRealTimers();
      expect(await goOn(1)).toEqual(['b']);
    } finally {
      jest.useRealTimers();
    }
  });

  it('tell whose own crowd is in the way that it is too much, and the others that much goes on', async () => {
    jest.useFakeTimers();
    try {
      const { turns } = start({ waitMsMax: 1_000, atOnceMax: 2, atOnceOfOneMax: 1 });
      const said: string[] = [];
      const come = (name: string): void =>
        void turns
          .take([name.charAt(0)], () => new Promise(() => undefined))
          .catch(({ statusCode }: AppError) => said.push(`${name} ${statusCode}`));
      for (const name of ['a0', 'a1', 'a2', 'a3', 'a4', 'b0', 'c0']) come(name);
      await jest.advanceTimersByTimeAsync(1_100);
      expect(said.toSorted()).toEqual(['a1 429', 'a2 429', 'a3 429', 'a4 429', 'c0 503']);
    } finally {
      jest.useRealTimers();
    }
  });

  it('end a turn once', async () => {
    const { turns, come, started } = start();
    const end = await turns.begin(['a']);
    for (const name of ['b0', 'b1']) come(name, 'b');
    end();
    end();
    await settled();
    expect(started).toEqual(['b0']);
  });

  it('go on when work fails, and keep nothing of those who are gone', async () => {
    const { turns, come, goOn, started } = start();
    const failing = turns.take(['a'], () => Promise.reject(new Error('broken')));
    come('next', 'a', 'deeper');
    await expect(failing).rejects.toThrow('broken');
    await settled();
    expect(started).toEqual(['next']);
    await goOn(1);
    come('last', 'b');
    await settled();
    expect(started).toEqual(['next', 'last']);
    await goOn(1);
    expect(turns).toMatchObject({ workingOf: new Map(), root: { size: 0, branches: new Map(), waiters: [] } });
  });
});
