import { carryByBucket } from '../../finance/general-ledger/posting-rules.js';
import { Money, novaText } from '../../money/money.js';
import type { AppSpendingContext } from '../commands.js';
import { BULK_ROWS_MAX } from '../constants.js';
import type { Entry, Fact } from '../events.js';
import {
  amountRejection,
  appSpendingRejection,
  closedRejection,
  frozenRejection,
  idRejection,
  recipientRejection,
  refuse,
  spend,
  UNKNOWN_DAILY_LIMIT,
} from '../funds.js';
import { type Mix, mixTotal, Postings, purchasedFirst, sumOf } from '../postings.js';
import type { Rejection } from '../rejections.js';
import type { AppWallet, LedgerState } from '../state.js';
import type { Movement, Ruling, ThroughApp } from './movement.js';

export interface FundAppWallet {
  readonly type: 'FundAppWallet';
  readonly clientId: string;
  readonly ownerId: string;
  readonly amount: bigint;
}

export interface WithdrawAppWallet {
  readonly type: 'WithdrawAppWallet';
  readonly clientId: string;
  readonly ownerId: string;
  readonly amount: bigint;
}

export interface SpendAppTokens {
  readonly type: 'SpendAppTokens';
  readonly userId: string;
  readonly amount: bigint;
  readonly via: AppSpendingContext;
}

export interface EarnAppTokens {
  readonly type: 'EarnAppTokens';
  readonly clientId: string;
  readonly userId: string;
  readonly amount: bigint;
}

/** All of them or none: at most `BULK_ROWS_MAX`. */
export interface EarnAppTokensInBulk {
  readonly type: 'EarnAppTokensInBulk';
  readonly clientId: string;
  readonly payments: readonly BulkPayment[];
}

/** One payment of a bulk; `cause` is of its event alone. */
export interface BulkPayment {
  readonly userId: string;
  readonly amount: bigint;
  readonly cause?: string;
}

interface AppMovement<T extends string> extends Fact<T> {
  readonly clientId: string;
  /** The developer to whom the application's wallet belongs. */
  readonly ownerId: string;
  /** The member on the other side: the owner when the wallet is funded or withdrawn. */
  readonly userId: string;
  readonly amount: bigint;
}
export type AppWalletFunded = AppMovement<'AppWalletFunded'>;
export type AppWalletWithdrawn = AppMovement<'AppWalletWithdrawn'>;
export type AppTokensSpent = AppMovement<'AppTokensSpent'>;
export interface AppTokensEarned extends AppMovement<'AppTokensEarned'> {
  /** For bulks, whose payments have their own causes: the stamp's cause. */
  readonly cause?: string;
}

function ownerRejection(app: AppWallet | undefined, ownerId: string): Rejection | undefined {
  if (!app || app.ownerId === ownerId) return undefined;
  return { code: 'NOT_APP_OWNER', message: 'This application belongs to someone else.' };
}

function fund(state: LedgerState, { clientId, ownerId, amount }: FundAppWallet): Ruling {
  const foreign = ownerRejection(state.app(clientId), ownerId);
  if (foreign) return refuse(foreign);
  const funds = spend(state, ownerId, amount);
  if ('rejection' in funds) return funds;
  const entries = new Postings().takeFromUser(ownerId, funds.mix).giveToApp(clientId, funds.mix).entries();
  return [...funds.before, { type: 'AppWalletFunded', clientId, ownerId, userId: ownerId, amount, entries }];
}

/** Allowed while closing or frozen: it only returns money to the member. */
function withdraw(state: LedgerState, { clientId, ownerId, amount }: WithdrawAppWallet): Ruling {
  const app = state.app(clientId);
  const rejection = amountRejection(amount) ?? ownerRejection(app, ownerId) ?? walletRejection(app, amount);
  if (rejection || !app) return refuse(rejection ?? emptyWallet(0n));
  const mix = purchasedFirst(amount, app);
  const entries = new Postings().takeFromApp(clientId, mix).giveToUser(ownerId, mix).entries();
  return [{ type: 'AppWalletWithdrawn', clientId, ownerId, userId: ownerId, amount, entries }];
}

function spendAtApp(state: LedgerState, { userId, amount, via }: SpendAppTokens, at: number): Ruling {
  const { clientId, ownerId } = via;
  const foreign = ownerRejection(state.app(clientId), ownerId);
  if (foreign) return refuse(foreign);
  if (userId === ownerId) {
    return refuse({ code: 'OWN_APPLICATION', message: 'You cannot spend at your own application.' });
  }
  const rejection = recipientRejection(state, ownerId) ?? appSpendingRejection(state, userId, amount, via, at);
  if (rejection) return refuse(rejection);
  const funds = spend(state, userId, amount);
  if ('rejection' in funds) return funds;
  const entries = new Postings().takeFromUser(userId, funds.mix).giveToApp(clientId, funds.mix).entries();
  return [...funds.before, { type: 'AppTokensSpent', clientId, ownerId, userId, amount, entries }];
}

/** An application pays only what its wallet holds, and nothing while its owner is frozen. */
function earnFromApp(state: LedgerState, { clientId, userId, amount }: EarnAppTokens): Ruling {
  return payFromApp(state, clientId, [{ userId, amount }]);
}

/** All or none: the first refused payment refuses all (rule apps-10). */
function earnInBulk(state: LedgerState, { clientId, payments }: EarnAppTokensInBulk): Ruling {
  if (payments.length === 0 || payments.length > BULK_ROWS_MAX) {
    return refuse({ code: 'INVALID_COMMAND', message: `A bulk has 1 to ${BULK_ROWS_MAX} payments.` });
  }
  return payFromApp(state, clientId, payments);
}

/** Each payment takes purchased Nova first, of what those before it have left. */
function payFromApp(state: LedgerState, clientId: string, payments: readonly BulkPayment[]): Ruling {
  const app = state.app(clientId);
  const total = payments.reduce((sum, { amount }) => sum + amount, 0n);
  for (const { userId, amount } of payments) {
    const rejection = idRejection(userId) ?? amountRejection(amount) ?? closedRejection(state, userId);
    if (rejection) return refuse(rejection);
  }
  const rejection = walletRejection(app, total);
  if (rejection || !app) return refuse(rejection ?? emptyWallet(0n));
  const { ownerId } = app;
  const stopped = closedRejection(state, ownerId) ?? frozenRejection(state, ownerId);
  if (stopped) return refuse(stopped);
  let left: Mix = { purchased: app.purchased, earned: app.earned };
  return payments.map(({ userId, amount, cause }) => {
    const mix = purchasedFirst(amount, left);
    left = { purchased: left.purchased - mix.purchased, earned: left.earned - mix.earned };
    const entries = new Postings().takeFromApp(clientId, mix).giveToUser(userId, mix).entries();
    const fact = { type: 'AppTokensEarned', clientId, ownerId, userId, amount, entries } as const;
    return cause === undefined ? fact : { ...fact, cause };
  });
}

const emptyWallet = (available: bigint): Rejection => ({
  code: 'APP_INSUFFICIENT_NOVA',
  message: `The application's wallet holds only ${Money.ofMinor(available).toString()} Nova.`,
  available,
});

function walletRejection(app: AppWallet | undefined, amount: bigint): Rejection | undefined {
  const available = app ? mixTotal(app) : 0n;
  return amount > available ? emptyWallet(available) : undefined;
}

interface Posted {
  readonly clientId: string;
  readonly ownerId: string;
  readonly entries: readonly Entry[];
}

/** Posts an event's entries to its application's wallet. */
export function postApp(state: LedgerState, { clientId, ownerId, entries }: Posted): void {
  state.postApp(
    clientId,
    ownerId,
    sumOf(entries, `app:${clientId}:purchased`),
    sumOf(entries, `app:${clientId}:earned`),
  );
}

const FIELDS = { clientId: 'text', ownerId: 'text', userId: 'text', amount: 'minor' } as const;

const through =
  (type: ThroughApp['type'], countsAgainstDailyLimit: boolean) =>
  ({ clientId, userId, amount }: AppMovement<string>): ThroughApp => ({
    type,
    clientId,
    userId,
    amount,
    recipientId: null,
    countsAgainstDailyLimit,
  });

/** Wallets of OAuth applications: money keeps its mix on the way in and out (rule apps-8). */
export const appWallet: Movement<
  FundAppWallet | WithdrawAppWallet | SpendAppTokens | EarnAppTokens | EarnAppTokensInBulk,
  AppWalletFunded | AppWalletWithdrawn | AppTokensSpent | AppTokensEarned,
  'app_wallet_fund' | 'app_wallet_withdraw' | 'app_spend' | 'app_earn'
> = {
  commands: {
    FundAppWallet: fund,
    WithdrawAppWallet: withdraw,
    SpendAppTokens: spendAtApp,
    EarnAppTokens: earnFromApp,
    EarnAppTokensInBulk: earnInBulk,
  },
  events: {
    AppWalletFunded: {
      fields: FIELDS,
      effect: postApp,
      posts: carryByBucket,
      cameFrom: ({ clientId, ownerId, amount }) => ({ type: 'FundAppWallet', clientId, ownerId, amount }),
      onceOnly: null,
      sentence: ({ userId, amount, clientId }, { member, application }) =>
        `${member(userId)} put ${novaText(amount)} into the wallet of ${application(clientId)}`,
      statementRows: ({ clientId }) => [{ type: 'app_wallet_fund', clientId }],
      throughApp: through('fund', false),
      quests: null,
      chart: null,
      announces: null,
    },
    AppWalletWithdrawn: {
      fields: FIELDS,
      effect: postApp,
      posts: carryByBucket,
      cameFrom: ({ clientId, ownerId, amount }) => ({ type: 'WithdrawAppWallet', clientId, ownerId, amount }),
      onceOnly: null,
      sentence: ({ userId, amount, clientId }, { member, application }) =>
        `${member(userId)} took ${novaText(amount)} out of the wallet of ${application(clientId)}`,
      statementRows: ({ clientId }) => [{ type: 'app_wallet_withdraw', clientId }],
      throughApp: through('withdraw', false),
      quests: null,
      chart: null,
      announces: null,
    },
    AppTokensSpent: {
      fields: FIELDS,
      effect: postApp,
      posts: carryByBucket,
      cameFrom: ({ clientId, ownerId, userId, amount }) => ({
        type: 'SpendAppTokens',
        userId,
        amount,
        via: { clientId, ownerId, dailyLimit: UNKNOWN_DAILY_LIMIT },
      }),
      onceOnly: null,
      sentence: ({ userId, amount, clientId }, { member, application }) =>
        `${member(userId)} spent ${novaText(amount)} at ${application(clientId)}`,
      statementRows: ({ clientId }) => [{ type: 'app_spend', clientId }],
      throughApp: through('spend', true),
      quests: null,
      chart: null,
      announces: null,
    },
    AppTokensEarned: {
      fields: FIELDS,
      effect: postApp,
      posts: carryByBucket,
      cameFrom: ({ clientId, userId, amount }) => ({ type: 'EarnAppTokens', clientId, userId, amount }),
      onceOnly: null,
      sentence: ({ userId, amount, clientId }, { member, application }) =>
        `${member(userId)} received ${novaText(amount)} from ${application(clientId)}`,
      statementRows: ({ clientId }) => [{ type: 'app_earn', clientId }],
      throughApp: through('earn', false),
      quests: null,
      chart: null,
      announces: null,
    },
  },
  rows: {
    app_wallet_fund: { words: ({ application }) => `Funded the wallet of ${application}`, earnedFromOthers: false },
    app_wallet_withdraw: {
      words: ({ application }) => `Withdrawn from the wallet of ${application}`,
      earnedFromOthers: false,
    },
    app_spend: { words: ({ application }) => `Spent at ${application}`, earnedFromOthers: false },
    app_earn: { words: ({ application }) => `Received from ${application}`, earnedFromOthers: false },
  },
};
