import type { AppSpendingContext, CommandOf } from './commands.js';
import type { Ruling } from './decide.js';
import { Money } from '../money/money.js';
import { amountRejection, closedRejection, frozenRejection, recipientRejection, refuse, spend } from './funds.js';
import { Postings, mixTotal, purchasedFirst } from './postings.js';
import type { Rejection } from './rejections.js';
import type { AppWallet, LedgerState } from './state.js';

type AppCommand = CommandOf<'FundAppWallet' | 'WithdrawAppWallet' | 'SpendAppTokens' | 'EarnAppTokens'>;

/** Wallets of OAuth applications: money keeps its mix on the way in and out (`decisions.md`, OAuth). */
export function decideApp(state: LedgerState, command: AppCommand, at: number): Ruling {
  switch (command.type) {
    case 'FundAppWallet':
      return fund(state, command);
    case 'WithdrawAppWallet':
      return withdraw(state, command);
    case 'SpendAppTokens':
      return spendAtApp(state, command, at);
    case 'EarnAppTokens':
      return earnFromApp(state, command);
  }
}

/** A member's spending through an application is limited a UTC day. */
export function appSpendingRejection(
  state: LedgerState,
  userId: string,
  amount: bigint,
  via: AppSpendingContext,
  at: number,
): Rejection | undefined {
  const left = via.dailyLimit - state.spentToday(userId, via.clientId, at);
  if (amount <= left) return undefined;
  const available = left > 0n ? left : 0n;
  return {
    code: 'DAILY_LIMIT',
    message: `This application may spend ${Money.ofMinor(available).toString()} Nova more today.`,
    available,
  };
}

function ownerRejection(app: AppWallet | undefined, ownerId: string): Rejection | undefined {
  if (!app || app.ownerId === ownerId) return undefined;
  return { code: 'NOT_APP_OWNER', message: 'This application belongs to someone else.' };
}

function fund(state: LedgerState, { clientId, ownerId, amount }: CommandOf<'FundAppWallet'>): Ruling {
  const foreign = ownerRejection(state.app(clientId), ownerId);
  if (foreign) return refuse(foreign);
  const funds = spend(state, ownerId, amount);
  if ('rejection' in funds) return funds;
  const entries = new Postings().takeFromUser(ownerId, funds.mix).giveToApp(clientId, funds.mix).entries();
  return [...funds.before, { type: 'AppWalletFunded', clientId, ownerId, userId: ownerId, amount, entries }];
}

/** Open to a member who is closing or frozen: it only brings money back to where it can be reached. */
function withdraw(state: LedgerState, { clientId, ownerId, amount }: CommandOf<'WithdrawAppWallet'>): Ruling {
  const app = state.app(clientId);
  const rejection = amountRejection(amount) ?? ownerRejection(app, ownerId) ?? walletRejection(app, amount);
  if (rejection || !app) return refuse(rejection ?? emptyWallet(0n));
  const mix = purchasedFirst(amount, app);
  const entries = new Postings().takeFromApp(clientId, mix).giveToUser(ownerId, mix).entries();
  return [{ type: 'AppWalletWithdrawn', clientId, ownerId, userId: ownerId, amount, entries }];
}

function spendAtApp(state: LedgerState, { userId, amount, via }: CommandOf<'SpendAppTokens'>, at: number): Ruling {
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
function earnFromApp(state: LedgerState, { clientId, userId, amount }: CommandOf<'EarnAppTokens'>): Ruling {
  const app = state.app(clientId);
  const rejection = amountRejection(amount) ?? closedRejection(state, userId) ?? walletRejection(app, amount);
  if (rejection || !app) return refuse(rejection ?? emptyWallet(0n));
  const stopped = closedRejection(state, app.ownerId) ?? frozenRejection(state, app.ownerId);
  if (stopped) return refuse(stopped);
  const mix = purchasedFirst(amount, app);
  const entries = new Postings().takeFromApp(clientId, mix).giveToUser(userId, mix).entries();
  return [{ type: 'AppTokensEarned', clientId, ownerId: app.ownerId, userId, amount, entries }];
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
