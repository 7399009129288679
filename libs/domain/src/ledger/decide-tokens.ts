import { userAccount, type PoolName } from './accounts.js';
import type { CommandOf } from './commands.js';
import { CHATS_PER_KARMA, SEYVN_PER_INFLUENCE, SEYVN_PER_KARMA } from './constants.js';
import type { Ruling } from './decide.js';
import { closedRejection, frozenRejection, insufficient, paidBy, payoutInFull, payoutOf, refuse } from './funds.js';
import { TOKEN_POOLS, owed } from './pools.js';
import { Postings } from './postings.js';
import type { LedgerState } from './state.js';

type TokenCommand = CommandOf<'MintKarma' | 'GrantThreadShare' | 'CollectRewards' | 'BurnTokens'>;

/** Tokens that are shares in pools: minting, granting, collecting, burning. */
export function decideTokens(state: LedgerState, command: TokenCommand): Ruling {
  switch (command.type) {
    case 'MintKarma':
      return mintKarma(state, command);
    case 'GrantThreadShare':
      return grantThreadShare(state, command);
    case 'CollectRewards':
      return collect(state, command);
    case 'BurnTokens':
      return burn(state, command);
  }
}

function mintKarma(state: LedgerState, { userId, completedChats }: CommandOf<'MintKarma'>): Ruling {
  if (!Number.isSafeInteger(completedChats) || completedChats <= 0 || completedChats % CHATS_PER_KARMA !== 0) {
    return refuse({ code: 'INVALID_COMMAND', message: 'Karma is minted on every fifth completed chat.' });
  }
  const closed = closedRejection(state, userId);
  if (closed) return refuse(closed);
  const before = payoutInFull(state, userId);
  if ('rejection' in before) return before;
  const entries = new Postings()
    .add('issuance:KARMA', -1n, 'KARMA')
    .add(userAccount(userId, 'karma'), 1n, 'KARMA')
    .entries();
  return [...before, { type: 'KarmaMinted', userId, completedChats, entries }];
}

function grantThreadShare(state: LedgerState, command: CommandOf<'GrantThreadShare'>): Ruling {
  const { hostId, userId, chatId } = command;
  const closed = closedRejection(state, userId) ?? closedRejection(state, hostId);
  if (closed) return refuse(closed);
  const before = payoutInFull(state, userId);
  if ('rejection' in before) return before;
  return [...before, { type: 'ThreadShareGranted', hostId, userId, chatId, entries: [] }];
}

function collect(state: LedgerState, { userId }: CommandOf<'CollectRewards'>): Ruling {
  const events = payoutOf(state, userId);
  if (events.length) return events;
  return refuse({ code: 'NOTHING_TO_COLLECT', message: 'No rewards are waiting.' });
}

function burn(state: LedgerState, command: CommandOf<'BurnTokens'>): Ruling {
  const { userId, earnedNova, karma, influence } = command;
  if (earnedNova < 0n || karma < 0n || influence < 0n || earnedNova + karma + influence === 0n) {
    return refuse({ code: 'INVALID_AMOUNT', message: 'Choose at least one token to burn.' });
  }
  const rejection = closedRejection(state, userId) ?? frozenRejection(state, userId);
  if (rejection) return refuse(rejection);
  if (karma > state.balance(userId, 'karma') || influence > state.balance(userId, 'influence')) {
    return refuse({ code: 'INSUFFICIENT_TOKENS', message: 'You do not hold that many tokens.' });
  }
  const earned = state.balance(userId, 'earned');
  const before = karma + influence > 0n || earnedNova > earned ? payoutInFull(state, userId) : [];
  if ('rejection' in before) return before;
  if (earnedNova > earned + paidBy(before)) return refuse(insufficient(earned + paidBy(before)));
  const seyvn = earnedNova + influence * SEYVN_PER_INFLUENCE + karma * SEYVN_PER_KARMA;
  const postings = new Postings()
    .add(userAccount(userId, 'earned'), -earnedNova)
    .add('burned:NOVA', earnedNova)
    .add(userAccount(userId, 'karma'), -karma, 'KARMA')
    .add('burned:KARMA', karma, 'KARMA')
    .add(userAccount(userId, 'influence'), -influence, 'INFLUENCE')
    .add('burned:INFLUENCE', influence, 'INFLUENCE')
    .add('issuance:SEYVN', -seyvn, 'SEYVN')
    .add(userAccount(userId, 'seyvn'), seyvn, 'SEYVN');
  leavePool(state, postings, TOKEN_POOLS.karma, userId, karma);
  leavePool(state, postings, TOKEN_POOLS.influence, userId, influence);
  return [
    ...before,
    { type: 'TokensBurned', userId, earnedNova, karma, influence, seyvn, entries: postings.entries() },
  ];
}

/** When the last holder leaves a pool, what is left in it, less than a minor unit a holder, goes to the treasury. */
export function leavePool(
  state: LedgerState,
  postings: Postings,
  name: PoolName,
  userId: string,
  shares: bigint,
): void {
  const pool = state.pool(name);
  const holder = state.holder(name, userId);
  if (!holder || pool.shares !== shares) return;
  const rest = pool.balance - owed(pool, holder);
  postings.add(name, -rest).add('treasury', rest);
}
