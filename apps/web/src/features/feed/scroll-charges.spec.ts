import { describe, expect, it } from '@jest/globals';
import { ApiError } from '@/shared/api/api-error';
import type { PaidPress } from '@/shared/api/paid-press';
import { ScrollCharges } from './scroll-charges';

const POOR = new ApiError(400, '{"code":"INSUFFICIENT_NOVA","message":"You need 1 Nova."}', 'Bad Request');
/** The member has begun to read. */
const PRESS = {} as PaidPress;
const SILENCE = new ApiError(0, '', 'no answer');
const GONE = new ApiError(404, '{"code":"POST_NOT_FOUND"}', 'Not Found');

/** A server that gives the listed answers, and accepts every charge after them. */
function charging(...answers: readonly (ApiError | undefined)[]) {
  const left = [...answers];
  const calls: string[] = [];
  const paid: string[] = [];
  const refusals: string[] = [];
  const member = { isGone: false };
  let keys = 0;
  const charges = new ScrollCharges({
    isOver: () => member.isGone,
    async charge(postId, key) {
      calls.push(`${postId} ${key}`);
      const answer = left.shift();
      if (answer !== undefined) throw answer;
      return { novaDeducted: 1, novaBalance: 9 };
    },
    newKey: () => `key${++keys}`,
    onPaid: (postId) => paid.push(postId),
    onRefused: ({ sentence }) => refusals.push(sentence),
  });
  charges.begin(PRESS);
  return { charges, calls, paid, refusals, member };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('charges for reading posts', () => {
  it('pays for each post once, each with a key of its own', async () => {
    const { charges, calls, paid } = charging();
    charges.add('a');
    charges.add('b');
    charges.add('a');
    await settled();
    charges.add('a');
    await settled();
    expect(calls).toEqual(['a key1', 'b key2']);
    expect(paid).toEqual(['a', 'b']);
  });

  it('pays nothing before the member reads, and forgets what they left unread', async () => {
    const { charges, calls, paid } = charging();
    charges.end();
    charges.add('a');
    await settled();
    expect(calls).toEqual([]);
    charges.end();
    charges.add('b');
    charges.begin(PRESS);
    await settled();
    expect(paid).toEqual(['b']);
    charges.add('a');
    await settled();
    expect(paid).toEqual(['b', 'a']);
  });

  it.each([
    ['paid', undefined],
    ['refused', POOR],
  ])('ends with the member, whose last charge is %s: the next one neither pays nor hears of it', async (_, answer) => {
    const { charges, calls, paid, refusals, member } = charging(answer);
    charges.add('a');
    charges.add('b');
    member.isGone = true;
    await settled();
    charges.add('c');
    charges.balanceIs(10);
    await settled();
    expect(calls).toEqual(['a key1']);
    expect(paid).toEqual([]);
    expect(refusals).toEqual([]);
  });

  it('says once that it was refused, and waits until the balance changes', async () => {
    const { charges, calls, paid, refusals } = charging(POOR);
    charges.balanceIs(0.5);
    charges.add('a');
    charges.add('b');
    await settled();
    charges.add('c');
    charges.balanceIs(0.5);
    await settled();
    expect(calls).toEqual(['a key1']);
    expect(refusals).toEqual(['You need 1 Nova.']);
    charges.balanceIs(10);
    await settled();
    expect(calls).toEqual(['a key1', 'a key1', 'b key2', 'c key3']);
    expect(paid).toEqual(['a', 'b', 'c']);
    expect(refusals).toHaveLength(1);
  });

  it('does not go on with a balance that pays for nothing', async () => {
    const { charges, calls } = charging(POOR);
    charges.balanceIs(3);
    charges.add('a');
    await settled();
    charges.balanceIs(0);
    await settled();
    expect(calls).toHaveLength(1);
    charges.balanceIs(1);
    await settled();
    expect(calls).toHaveLength(2);
  });

  it('says so again when it is refused again', async () => {
    const { charges, refusals } = charging(POOR, POOR);
    charges.balanceIs(0);
    charges.add('a');
    await settled();
    charges.balanceIs(5);
    await settled();
    expect(refusals).toHaveLength(2);
  });

  it('tries an unanswered charge again with the same key when the next one is due', async () => {
    const { charges, calls, paid, refusals } = charging(SILENCE);
    charges.add('a');
    await settled();
    expect(paid).toEqual([]);
    charges.add('b');
    await settled();
    expect(calls).toEqual(['a key1', 'a key1', 'b key2']);
    expect(paid).toEqual(['a', 'b']);
    expect(refusals).toEqual([]);
  });

  it('leaves out a post that is gone', async () => {
    const { charges, paid, refusals } = charging(GONE);
    charges.add('a');
    charges.add('b');
    await settled();
    expect(paid).toEqual(['b']);
    expect(refusals).toEqual([]);
  });
});
