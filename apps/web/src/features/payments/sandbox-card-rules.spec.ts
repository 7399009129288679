import { describe, expect, it } from '@jest/globals';
import { formatExpiry, groupCardNumber, sandboxCardSchema } from './sandbox-card-rules';

const card = { number: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '123' };
const accepts = (changed: Partial<typeof card>): boolean =>
  sandboxCardSchema.safeParse({ ...card, ...changed }).success;

describe('the sandbox’s card form', () => {
  it('takes Stripe’s test cards and reads their digits', () => {
    expect(sandboxCardSchema.parse(card).number).toBe('4242424242424242');
    expect(accepts({ number: '4000000000000002' })).toBe(true);
    expect(accepts({ number: '378282246310005', cvc: '1234' })).toBe(true);
  });

  it.each([
    { number: '4111 1111 1111 1111' },
    { number: '4242' },
    { expiry: '13 / 34' },
    { expiry: '12' },
    { expiry: '01 / 20' },
    { cvc: '12' },
    { cvc: 'abc' },
  ])('refuses %j', (changed) => {
    expect(accepts(changed)).toBe(false);
  });

  it('writes numbers as cards show them', () => {
    expect(groupCardNumber('42424242-4242 4242')).toBe('4242 4242 4242 4242');
    expect(groupCardNumber('4242')).toBe('4242');
    expect(formatExpiry('1234')).toBe('12 / 34');
    expect(formatExpiry('12')).toBe('12');
  });
});
