import { type LedgerEvent, type LedgerFact, rulesOf } from '@app/domain';
import { factsOfLedger } from './facts-of-ledger.js';

const stamped = (fact: object): LedgerEvent =>
  ({ at: 1_000, actor: 'process', entries: [], ...fact }) as unknown as LedgerEvent;

describe('what an event of the journal tells applications', () => {
  it('is the change of each balance that the token API shows, and of no other', () => {
    const event = stamped({
      type: 'GiftSent',
      senderId: 'ann',
      recipientId: 'ben',
      amount: 100_000n,
      recipientShare: 50_000n,
      influenceShare: 50_000n,
      entries: [
        ['user:ann:purchased', 'NOVA', -60_000n],
        ['user:ann:earned', 'NOVA', -40_000n],
        ['user:ben:earned', 'NOVA', 50_000n],
        ['user:ben:pending', 'NOVA', 7n],
        ['user:ben:influence', 'INFLUENCE', 3n],
        ['pool:influence', 'NOVA', 50_000n],
      ],
    });
    expect(factsOfLedger(event, 'one')).toEqual([
      { type: 'balance.changed', at: 1_000, memberId: 'ann', changes: { nova: -1_000 }, data: { userId: 'ann' } },
      {
        type: 'balance.changed',
        at: 1_000,
        memberId: 'ben',
        changes: { nova: 500, influence: 3 },
        data: { userId: 'ben' },
      },
    ]);
  });

  it('is nothing where one part of a balance becomes another', () => {
    const entries = [
      ['user:ann:purchased', 'NOVA', -5n],
      ['user:ann:earned', 'NOVA', 5n],
    ];
    expect(factsOfLedger(stamped({ type: 'GiftSent', senderId: 'ann', recipientId: 'ben', entries }), 'one')).toEqual(
      [],
    );
  });

  it.each([
    ['AppTokensSpent', 'tokens.spent'],
    ['AppTokensEarned', 'tokens.earned'],
  ])('is of %s: %s, to its application alone and with its member’s consent', (type, told) => {
    const event = stamped({ type, clientId: 'app', ownerId: 'dev', userId: 'ann', amount: 1_250n });
    const data = { userId: 'ann', amount: 12.5, transactionId: 'one' };
    expect(factsOfLedger(event, 'one')).toEqual([{ type: told, at: 1_000, clientId: 'app', memberId: 'ann', data }]);
  });

  it.each([
    ['AppWalletFunded', 'wallet.funded'],
    ['AppWalletWithdrawn', 'wallet.withdrawn'],
  ])('is of %s: %s, about no member', (type, told) => {
    const event = stamped({ type, clientId: 'app', ownerId: 'dev', userId: 'dev', amount: 100n });
    expect(factsOfLedger(event, 'one')).toEqual([
      { type: told, at: 1_000, clientId: 'app', data: { amount: 1, transactionId: 'one' } },
    ]);
  });

  it('is a gift through an application, and no other gift', () => {
    const gift = { type: 'GiftSent', senderId: 'ann', recipientId: 'ben', amount: 100n } as const;
    const data = { userId: 'ann', amount: 1, recipientId: 'ben', transactionId: 'one' };
    const through = stamped({ ...gift, clientId: 'app' });
    expect(rulesOf(through as LedgerFact).throughApp?.(through as LedgerFact)).toBeDefined();
    expect(factsOfLedger(through, 'one')).toEqual([
      { type: 'transfer.sent', at: 1_000, clientId: 'app', memberId: 'ann', data },
    ]);
    expect(factsOfLedger(stamped(gift), 'one')).toEqual([]);
  });
});
