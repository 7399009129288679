import { upcast, Upcasters } from './upcasters.js';

const upcasters = new Upcasters([
  { type: 'Renamed', from: 2, upcast: ({ amount, ...rest }) => ({ ...rest, amount: `${String(amount)}00` }) },
  { type: 'Renamed', from: 1, upcast: ({ sum, ...rest }) => ({ ...rest, amount: sum }) },
]);

const step = (from: number) => ({ type: 'T', from, upcast: (data: object) => ({ ...data }) });

describe('upcasters', () => {
  it('lead from the oldest shape through each step to the newest', () => {
    expect(JSON.parse(upcasters.upcast('Renamed', '{"sum":7,"by":"a"}'))).toEqual({ amount: '700', by: 'a', v: 3 });
    expect(JSON.parse(upcasters.upcast('Renamed', '{"amount":7,"v":2}'))).toEqual({ amount: '700', v: 3 });
  });

  it('leave the text of the newest shape and of other types as it is', () => {
    const today = '{"v":3, "amount":"700"}';
    expect(upcasters.upcast('Renamed', today)).toBe(today);
    expect(upcasters.upcast('Other', 'anything')).toBe('anything');
    expect(upcast('GiftSent', '{ }')).toBe('{ }');
  });

  it.each(['{"v":4}', '{"v":0}', '{"v":"1"}', '{"v":1.5}'])('refuse a shape that they do not know: %s', (data) => {
    expect(() => upcasters.upcast('Renamed', data)).toThrow('this version knows 1 to 3');
  });

  it('refuse data that is no object', () => {
    expect(() => upcasters.upcast('Renamed', '[1]')).toThrow('is not a JSON object');
  });

  it('refuse a chain with a gap or a doubled step', () => {
    expect(() => new Upcasters([step(1), step(3)])).toThrow('from shape 2 was due');
    expect(() => new Upcasters([step(1), step(1)])).toThrow('from shape 2 was due');
  });
});
