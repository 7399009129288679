import { describe, expect, it } from '@jest/globals';
import { ofMember, type MemberStatement } from './use-finance';

describe('a statement while the next one is loaded', () => {
  const moment = { revision: 1, at: null, hash: '' };
  const balances = { opening: 0, closing: 0 };
  const ofAda: MemberStatement = {
    member: { id: 'ada', displayName: 'Ada', email: 'ada@example.com' },
    opening: moment,
    closing: moment,
    lines: [],
    owed: balances,
    nova: balances,
  };

  it('stays for another period, and goes for another member', () => {
    expect(ofMember('ada')(ofAda)).toBe(ofAda);
    expect(ofMember('bob')(ofAda)).toBeUndefined();
    expect(ofMember('bob')(undefined)).toBeUndefined();
  });
});
