import { carryOver } from '../../finance/general-ledger/posting-rules.js';
import { accountOwner, threadPool, userAccount, type PoolName } from '../accounts.js';
import { CHATS_PER_KARMA } from '../constants.js';
import type { Fact } from '../events.js';
import { closedRejection, payoutInFull, payoutOf, refuse } from '../funds.js';
import { invariant } from '../invariant.js';
import { Postings, sumOf } from '../postings.js';
import type { LedgerState } from '../state.js';
import { COUNTS_NOWHERE, type Movement, type Ruling } from './movement.js';

/** `completedChats` is the member's count, a multiple of five. */
export interface MintKarma {
  readonly type: 'MintKarma';
  readonly userId: string;
  readonly completedChats: number;
}

export interface GrantThreadShare {
  readonly type: 'GrantThreadShare';
  readonly hostId: string;
  readonly userId: string;
  readonly chatId: string;
}

export interface CollectRewards {
  readonly type: 'CollectRewards';
  readonly userId: string;
}

export interface KarmaMinted extends Fact<'KarmaMinted'> {
  readonly userId: string;
  readonly completedChats: number;
}

/** The counterpart gains one share in pool:thread:{hostId} (rule nexus-3). */
export interface ThreadShareGranted extends Fact<'ThreadShareGranted'> {
  readonly hostId: string;
  readonly userId: string;
  readonly chatId: string;
}

/** Moves what pools owe a holder to earned: one event for all of the holder's pools. */
export interface PoolRewardsPaid extends Fact<'PoolRewardsPaid'> {
  readonly userId: string;
  readonly payouts: readonly (readonly [pool: PoolName, amount: bigint])[];
}

type RowType = 'influence_reward' | 'karma_reward' | 'thread_reward';

function mintKarma(state: LedgerState, { userId, completedChats }: MintKarma): Ruling {
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

function grantThreadShare(state: LedgerState, command: GrantThreadShare): Ruling {
  const { hostId, userId, chatId } = command;
  const closed = closedRejection(state, userId) ?? closedRejection(state, hostId);
  if (closed) return refuse(closed);
  const before = payoutInFull(state, userId);
  if ('rejection' in before) return before;
  return [...before, { type: 'ThreadShareGranted', hostId, userId, chatId, entries: [] }];
}

function collect(state: LedgerState, { userId }: CollectRewards): Ruling {
  const events = payoutOf(state, userId);
  if (events.length) return events;
  return refuse({ code: 'NOTHING_TO_COLLECT', message: 'No rewards are waiting.' });
}

function payOut(state: LedgerState, { userId, payouts, entries }: PoolRewardsPaid): void {
  invariant(entries.length === payouts.length + 1, 'a payout names every pool that gives');
  for (const [pool, amount] of payouts) {
    invariant(sumOf(entries, pool) === -amount, () => `${pool} does not give what it pays`);
    state.payFromPool(pool, userId, amount);
  }
}

function rowTypeOf(pool: PoolName): RowType {
  if (pool === 'pool:influence') return 'influence_reward';
  return pool === 'pool:karma' ? 'karma_reward' : 'thread_reward';
}

/** Tokens that are shares in pools, and the pools' payouts. A payout precedes any command that needs it. */
export const rewards: Movement<
  MintKarma | GrantThreadShare | CollectRewards,
  KarmaMinted | ThreadShareGranted | PoolRewardsPaid,
  RowType
> = {
  commands: { MintKarma: mintKarma, GrantThreadShare: grantThreadShare, CollectRewards: collect },
  events: {
    KarmaMinted: {
      fields: { userId: 'text', completedChats: 'number' },
      effect: null,
      posts: null,
      cameFrom: ({ userId, completedChats }) => ({ type: 'MintKarma', userId, completedChats }),
      onceOnly: ({ userId, completedChats }) => `Karma of ${userId} for ${completedChats} chats`,
      sentence: ({ userId }, { member }) => `${member(userId)} earned one Karma`,
      statementRows: null,
      ...COUNTS_NOWHERE,
    },
    ThreadShareGranted: {
      fields: { hostId: 'text', userId: 'text', chatId: 'text' },
      effect: (state, { hostId, userId }) => state.changeShares(threadPool(hostId), userId, 1n),
      posts: null,
      cameFrom: ({ hostId, userId, chatId }) => ({ type: 'GrantThreadShare', hostId, userId, chatId }),
      onceOnly: ({ userId, chatId, hostId }) => `share of ${userId} for chat ${chatId} with ${hostId}`,
      sentence: ({ userId, hostId }, { member }) =>
        `${member(userId)} gained a share in the thread of ${member(hostId)}`,
      statementRows: null,
      ...COUNTS_NOWHERE,
    },
    PoolRewardsPaid: {
      fields: { userId: 'text', payouts: 'payouts' },
      effect: payOut,
      posts: carryOver,
      cameFrom: ({ userId }) => ({ type: 'CollectRewards', userId }),
      onceOnly: null,
      sentence: ({ userId }, { member }) => `Rewards were credited to ${member(userId)}`,
      statementRows: ({ payouts }) =>
        payouts.map(([pool, amount]) => {
          const type = rowTypeOf(pool);
          return { type, amount, subject: pool, counterpartyId: type === 'thread_reward' ? accountOwner(pool) : null };
        }),
      ...COUNTS_NOWHERE,
    },
  },
  rows: {
    influence_reward: { words: () => 'Influence reward', earnedFromOthers: false },
    karma_reward: { words: () => 'Karma reward', earnedFromOthers: false },
    thread_reward: { words: ({ party }) => `Thread reward from chats of ${party}`, earnedFromOthers: false },
  },
};
