import { describe, expect, it } from '@jest/globals';
import { readGift } from './gift-rules';

const BALANCE = 5_000;
const gift = (recipientId: string | null, amountText: string) => readGift({ recipientId, amountText }, BALANCE);

describe('a gift', () => {
  it('is read as the server takes it', () => {
    expect(gift('ada', '1,000')).toEqual({ recipientId: 'ada', amount: 1_000 });
    expect(gift('ada', '5000.00')).toEqual({ recipientId: 'ada', amount: 5_000 });
    const million = readGift({ recipientId: 'ada', amountText: '1,000,000' }, 1_000_000);
    expect(million).toEqual({ recipientId: 'ada', amount: 1_000_000 });
  });

  it('needs a recipient first', () => {
    expect(gift(null, '1')).toMatchObject({
      complaint: { title: 'Select Recipient', sentence: 'Please select someone to send a gift to.' },
    });
  });

  it.each(['', '999.99', '1,000,000.01', '-1000', 'all'])('refuses the amount %j', (amountText) => {
    expect(gift('ada', amountText)).toMatchObject({
      complaint: { title: 'Invalid Amount', sentence: 'Gift amount must be between 1,000 and 1,000,000 Nova.' },
    });
  });

  it('never exceeds the balance, not by a minor unit', () => {
    expect(gift('ada', '5,000.01')).toMatchObject({
      complaint: { title: 'Insufficient Balance', sentence: "You don't have enough Nova to send this gift." },
    });
  });
});
