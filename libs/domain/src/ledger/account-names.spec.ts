import {
  ACCOUNT_KINDS,
  OWNED_KINDS,
  accountCurrency,
  accountKind,
  accountNameOf,
  accountOwner,
  isAccountId,
  mayGoBelowZero,
  parseAccountName,
} from './accounts.js';

const ACCOUNTS = [
  ['user:0190a-b_C:purchased', 'user:purchased', '0190a-b_C', 'NOVA'],
  ['user:ada:earned', 'user:earned', 'ada', 'NOVA'],
  ['user:ada:pending', 'user:pending', 'ada', 'NOVA'],
  ['user:ada:karma', 'user:karma', 'ada', 'KARMA'],
  ['user:ada:influence', 'user:influence', 'ada', 'INFLUENCE'],
  ['user:ada:seyvn', 'user:seyvn', 'ada', 'SEYVN'],
  ['app:chess:purchased', 'app:purchased', 'chess', 'NOVA'],
  ['app:chess:earned', 'app:earned', 'chess', 'NOVA'],
  ['chat:c-1', 'chat', 'c-1', 'NOVA'],
  ['pool:influence', 'pool:influence', '', 'NOVA'],
  ['pool:karma', 'pool:karma', '', 'NOVA'],
  ['pool:thread:ada', 'pool:thread', 'ada', 'NOVA'],
  ['treasury', 'treasury', '', 'NOVA'],
  ['external:stripe', 'external:stripe', '', 'NOVA'],
  ['external:chargebacks', 'external:chargebacks', '', 'NOVA'],
  ['issuance:KARMA', 'issuance', 'KARMA', 'KARMA'],
  ['burned:SEYVN', 'burned', 'SEYVN', 'SEYVN'],
] as const;

describe('account names', () => {
  it.each(ACCOUNTS)('%s is of kind %s, owner "%s", in %s', (name, kind, owner, currency) => {
    expect(accountKind(name)).toBe(kind);
    expect(accountOwner(name)).toBe(owner);
    expect(accountNameOf(kind, owner)).toBe(name);
    expect(accountCurrency(kind, owner)).toBe(currency);
    expect(parseAccountName(name)).toEqual({ kind, owner });
  });

  it('has an example of every kind', () => {
    expect([...new Set(ACCOUNTS.map(([, kind]) => kind))].toSorted()).toEqual([...ACCOUNT_KINDS].toSorted());
  });

  it('has many accounts of a kind exactly where one belongs to a member, an application, a chat or a host', () => {
    const owned = ACCOUNTS.filter(([, , owner, currency]) => owner !== '' && owner !== currency);
    const several = ACCOUNTS.filter(([, kind]) => OWNED_KINDS.has(kind));
    expect(several).toEqual(owned);
  });

  it('lets only the other side of what enters or leaves go below zero', () => {
    const below = ACCOUNTS.map(([name]) => name).filter((name) => mayGoBelowZero(name));
    expect(below).toEqual(['external:stripe', 'external:chargebacks', 'issuance:KARMA', 'burned:SEYVN']);
  });

  it.each(['', 'vault', 'issuances:NOVA', 'user:ada:gold', 'app:chess:pending', 'pool:gold', 'external:bank'])(
    'finds no kind for "%s": a journal that holds it is broken',
    (name) => {
      expect(() => accountKind(name)).toThrow(`no such account: ${name}`);
    },
  );

  it.each([
    '',
    ':',
    'user',
    'user:ada',
    'user::earned',
    'user:ada:',
    'user:ada:gold',
    'user:ada:earned:more',
    'user:a b:earned',
    "user:a'b:earned",
    `user:${'x'.repeat(65)}:earned`,
    'app:chess:pending',
    'chat',
    'chat:',
    'chat:a:b',
    'pool',
    'pool:gold',
    'pool:karma:ada',
    'pool:thread',
    'pool:thread:',
    'treasury:NOVA',
    'external',
    'external:bank',
    'external:stripe:NOVA',
    'issuance',
    'issuance:GOLD',
    'burned:NOVA:x',
    'user:purchased',
  ])('knows no account called "%s"', (text) => {
    expect(parseAccountName(text)).toBeUndefined();
  });
});

describe('ids in account names', () => {
  it.each(['a', '0190a-b_C', 'x'.repeat(64)])('"%s" is one', (id) => {
    expect(isAccountId(id)).toBe(true);
  });

  it.each(['', 'a:b', 'a b', 'ä', 'ann\n', 'x'.repeat(65), undefined, null, 7])('"%s" is none', (id) => {
    expect(isAccountId(id)).toBe(false);
  });
});
