import { describe, expect, it } from '@jest/globals';
import { readChatPrice } from './chat-price';

describe('readChatPrice', () => {
  it.each([
    ['0.5', 0.5],
    ['2', 2],
    [' $2.50 ', 2.5],
    ['1,250', 1250],
    ['', 1],
    ['abc', 1],
    ['1e999', 1],
  ])('reads %j as %d', (text, price) => expect(readChatPrice(text)).toEqual({ price }));

  it.each(['0', '0.49', '-3', '0.75', '1.3'])('does not apply %j', (text) =>
    expect(readChatPrice(text)).toEqual({ complaint: expect.stringMatching(/\.$/) }),
  );
});
