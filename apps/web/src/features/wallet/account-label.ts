const FIXED: Readonly<Record<string, string>> = {
  'pool:influence': 'Influence holders’ pool',
  'pool:karma': 'Karma holders’ pool',
  treasury: 'Treasury',
  'external:stripe': 'Card payments',
  'external:chargebacks': 'Chargebacks',
};

const PARTS: Readonly<Record<string, string>> = {
  purchased: 'purchased Nova',
  earned: 'earned Nova',
  pending: 'pending Nova',
  karma: 'Karma',
  influence: 'Influence',
  seyvn: 'Seyvn',
};

/** A ledger account in words (rule ledger-2); the exact name is shown beside it. */
export function accountLabel(account: string, ownUserId: string | null): string {
  const fixed = FIXED[account];
  if (fixed !== undefined) return fixed;
  const [kind = '', id, part] = account.split(':');
  switch (kind) {
    case 'user':
      return `${id === ownUserId ? 'My' : 'Member’s'} ${part === undefined ? 'account' : (PARTS[part] ?? part)}`;
    case 'app':
      return `Application’s wallet, ${part ?? 'all'}`;
    case 'chat':
      return 'Held for a chat';
    case 'pool':
      return 'Thread holders’ pool';
    case 'issuance':
      return 'Issued';
    case 'burned':
      return 'Burned';
    default:
      return account;
  }
}
