import { fairMediaTurns } from './media-turns.js';

/** Work that ends when the test says so, and the order in which it began. */
function workshop() {
  const turns = fairMediaTurns();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const bring = (memberId: string, file: string): Promise<void> =>
    turns.take([memberId], () => {
      begun.push(file);
      return new Promise((resolve) => ends.set(file, resolve));
    });
  /** Resolves once everything that can begin has begun. */
  const settled = (): Promise<void> => new Promise(setImmediate);
  const end = (file: string): Promise<void> => {
    ends.get(file)?.();
    return settled();
  };
  return { bring, begun, end, settled };
}

describe('files that wait to be prepared', () => {
  it('are prepared one at a time for a member, whatever room there is', async () => {
    const { bring, begun, end, settled } = workshop();
    void bring('ada', 'a1');
    void bring('ada', 'a2');
    await settled();
    expect(begun).toEqual(['a1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'a2']);
  });

  it('of one member delay another by one of them at most', async () => {
    const { bring, begun, end, settled } = workshop();
    for (const file of ['a1', 'a2', 'a3']) void bring('ada', file);
    for (const file of ['b1', 'b2', 'b3']) void bring('ben', file);
    void bring('chiara', 'c1');
    await settled();
    expect(begun).toEqual(['a1', 'b1']);
    await end('a1');
    await end('b1');
    // Ada and Ben waited before Chiara came; their third files do not overtake hers.
    expect(begun).toEqual(['a1', 'b1', 'a2', 'b2']);
    await end('a2');
    expect(begun.at(-1)).toBe('c1');
  });

  it('are few for a member: one at work and four that wait', async () => {
    const { bring, end } = workshop();
    for (const file of ['1', '2', '3', '4', '5']) void bring('ada', file);
    await expect(bring('ada', '6')).rejects.toMatchObject({ statusCode: 429, code: 'TOO_MANY_UPLOADS' });
    await end('1');
    expect(await Promise.race([bring('ada', '7'), Promise.resolve('waits')])).toBe('waits');
  });

  it('are few in all', async () => {
    const { bring } = workshop();
    for (let member = 0; member < 52; member += 1) void bring(`member ${member}`, `file of ${member}`);
    await expect(bring('ada', 'a')).rejects.toMatchObject({ statusCode: 503, code: 'UPLOADS_BUSY' });
  });

  it('make room also where preparing them failed', async () => {
    const turns = fairMediaTurns();
    const fail = (): Promise<never> => Promise.reject(new Error('damaged'));
    for (let file = 0; file < 5; file += 1) await expect(turns.take(['ada'], fail)).rejects.toThrow('damaged');
    await expect(turns.take(['ada'], () => Promise.resolve('done'))).resolves.toBe('done');
  });
});
