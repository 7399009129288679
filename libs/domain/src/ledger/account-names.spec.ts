import { accountCurrency, accountKind, accountNameOf, accountOwner, parseAccountName } from './accounts.js';

const ACCOUNTS = [
  ['user:0190a-b_C:purchased', 'user:purchased', '0190a-b_C', 'NOVA'],
  ['user:ada:karma', 'user:karma', 'ada', 'KARMA'],
  ['user:ada:influence', 'user:influence', 'ada', 'INFLUENCE'],
  ['user:ada:seyvn', 'user:seyvn', 'ada', 'SEYVN'],
  ['app:chess:earned', 'app:earned', 'chess', 'NOVA'],
  ['chat:c-1', 'chat', 'c-1', 'NOVA'],
  ['pool:influence', 'pool:influence', '', 'NOVA'],
  ['pool:thread:ada', 'pool:thread', 'ada', 'NOVA'],
  ['treasury', 'treasury', '', 'NOVA'],
  ['external:stripe', 'external:stripe', '', 'NOVA'],
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
