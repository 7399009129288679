import { postBurn } from '../../finance/general-ledger/posting-rules.js';
import { userAccount } from '../accounts.js';
import { SEYVN_PER_INFLUENCE, SEYVN_PER_KARMA } from '../constants.js';
import type { Fact } from '../events.js';
import { closedRejection, frozenRejection, insufficient, leavePool, paidBy, payoutInFull, refuse } from '../funds.js';
import { TOKEN_POOLS } from '../pools.js';
import { Postings } from '../postings.js';
import type { LedgerState } from '../state.js';
import { COUNTS_NOWHERE, type Movement, type Ruling } from './movement.js';

export interface BurnTokens {
  readonly type: 'BurnTokens';
  readonly userId: string;
  readonly earnedNova: bigint;
  readonly karma: bigint;
  readonly influence: bigint;
}

export interface TokensBurned extends Fact<'TokensBurned'> {
  readonly userId: string;
  readonly earnedNova: bigint;
  readonly karma: bigint;
  readonly influence: bigint;
  readonly seyvn: bigint;
}

function burnTokens(state: LedgerState, command: BurnTokens): Ruling {
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

/** Earned Nova, Karma and Influence that become Seyvn (rule status-3). */
export const burn: Movement<BurnTokens, TokensBurned, 'burn'> = {
  commands: { BurnTokens: burnTokens },
  events: {
    TokensBurned: {
      fields: { userId: 'text', earnedNova: 'minor', karma: 'minor', influence: 'minor', seyvn: 'minor' },
      effect: null,
      posts: postBurn,
      cameFrom: ({ userId, earnedNova, karma, influence }) => ({
        type: 'BurnTokens',
        userId,
        earnedNova,
        karma,
        influence,
      }),
      onceOnly: null,
      sentence: ({ userId }, { member }) => `${member(userId)} burned tokens for Seyvn`,
      statementRows: () => [{ type: 'burn' }],
      ...COUNTS_NOWHERE,
    },
  },
  rows: { burn: { words: () => 'Tokens burned for Seyvn', earnedFromOthers: false } },
};
