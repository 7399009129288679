import { formAmount, formMap, formText, parseStripeForm } from './stripe-form.js';

describe("Stripe's form encoding", () => {
  it('nests names', () => {
    const form = parseStripeForm({
      amount: '100',
      'metadata[userId]': 'u',
      'metadata[amount]': '1250',
      'expand[]': 'x',
      'a[b][c]': 'd',
    });
    expect(form && formAmount(form, 'amount')).toBe(100);
    expect(form && formMap(form, 'metadata')).toEqual({ userId: 'u', amount: '1250' });
    expect(JSON.parse(JSON.stringify(form))).toMatchObject({ expand: { 0: 'x' }, a: { b: { c: 'd' } } });
  });

  it.each([
    { 'a[': '1' },
    { '[a]': '1' },
    { 'a[b]c': '1' },
    { a: ['1', '2'] },
    { a: '1', 'a[b]': '2' },
    { 'a[b][c][d][e][f]': '1' },
  ])('refuses %j', (flat) => expect(parseStripeForm(flat)).toBeUndefined());

  it('has no prototype to pollute', () => {
    const form = parseStripeForm({ 'a[__proto__]': 'x', __proto__: 'y' });
    expect(form && formText(form, 'toString')).toBeUndefined();
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it.each(['0', '-1', '1.5', '1e3', '', 'NaN', '1234567890123'])('takes %j for no amount', (amount) => {
    const form = parseStripeForm({ amount });
    expect(form && formAmount(form, 'amount')).toBeUndefined();
  });
});
