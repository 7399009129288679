import { postDeduction, carryNothing } from '../../finance/general-ledger/posting-rules.js';
import { Money, novaText } from '../../money/money.js';
import { BULK_ROWS_MAX } from '../constants.js';
import type { Fact, LedgerFact } from '../events.js';
import {
  amountRejection,
  closedRejection,
  idRejection,
  insufficient,
  issue,
  issueRejection,
  paidBy,
  payoutInFull,
  refuse,
  supplyRejection,
} from '../funds.js';
import { Postings, smaller, type Mix } from '../postings.js';
import type { Rejection } from '../rejections.js';
import type { LedgerState } from '../state.js';
import { COUNTS_NOWHERE, type Movement, type Ruling } from './movement.js';

export interface GrantNova {
  readonly type: 'GrantNova';
  readonly userId: string;
  readonly adminId: string;
  readonly amount: bigint;
  /** Minor units: what the admin may grant on a UTC day, with this. Absent: no cap (rule admin-21). */
  readonly dailyLimit?: bigint;
}

/** All of them or none: at most `BULK_ROWS_MAX`. */
export interface GrantNovaInBulk {
  readonly type: 'GrantNovaInBulk';
  readonly adminId: string;
  readonly grants: readonly BulkGrant[];
  /** As of `GrantNova`, for the sum of all rows. */
  readonly dailyLimit?: bigint;
}

/** One row of a bulk; `cause` is of its event alone. */
export interface BulkGrant {
  readonly userId: string;
  readonly amount: bigint;
  readonly cause?: string;
}

export interface DeductNova {
  readonly type: 'DeductNova';
  readonly userId: string;
  readonly adminId: string;
  readonly amount: bigint;
}

export interface NovaGranted extends Fact<'NovaGranted'> {
  /** For bulk grants, whose rows have their own causes: the stamp's cause. */
  readonly cause?: string;
  readonly userId: string;
  readonly adminId: string;
  readonly amount: bigint;
}

export interface NovaDeducted extends Fact<'NovaDeducted'> {
  readonly userId: string;
  readonly adminId: string;
  readonly amount: bigint;
}

function grant(state: LedgerState, { userId, adminId, amount, dailyLimit }: GrantNova, at: number): Ruling {
  const rejection = issueRejection(state, userId, amount) ?? capRejection(state, { adminId, amount, dailyLimit }, at);
  if (rejection) return refuse(rejection);
  return [{ type: 'NovaGranted', userId, adminId, amount, entries: issue(userId, amount) }];
}

/** The admin's cap for the day of `at`, with everything that they granted on it so far. */
function capRejection(
  state: LedgerState,
  { adminId, amount, dailyLimit }: { adminId: string; amount: bigint; dailyLimit: bigint | undefined },
  at: number,
): Rejection | undefined {
  if (dailyLimit === undefined) return undefined;
  const left = dailyLimit - state.grantedToday(adminId, at);
  if (amount <= left) return undefined;
  const available = left > 0n ? left : 0n;
  return {
    code: 'ADMIN_DAILY_CAP',
    message: `This admin may grant ${Money.ofMinor(available).toString()} Nova more today (UTC).`,
    available,
  };
}

/** All or none: the first refused row refuses all. */
function grantInBulk(state: LedgerState, { adminId, grants, dailyLimit }: GrantNovaInBulk, at: number): Ruling {
  if (grants.length === 0 || grants.length > BULK_ROWS_MAX) {
    return refuse({ code: 'INVALID_COMMAND', message: `A bulk has 1 to ${BULK_ROWS_MAX} rows.` });
  }
  const facts: LedgerFact[] = [];
  let total = 0n;
  for (const { userId, amount, cause } of grants) {
    const rejection = idRejection(userId) ?? issueRejection(state, userId, amount);
    if (rejection) return refuse(rejection);
    total += amount;
    const entries = issue(userId, amount);
    facts.push({ type: 'NovaGranted', userId, adminId, amount, entries, ...(cause === undefined ? {} : { cause }) });
  }
  const tooMuch = supplyRejection(state, total) ?? capRejection(state, { adminId, amount: total, dailyLimit }, at);
  return tooMuch ? refuse(tooMuch) : facts;
}

/** An admin's deduction takes earned, then purchased; a frozen member is no exception. */
function deduct(state: LedgerState, { userId, adminId, amount }: DeductNova): Ruling {
  const rejection = amountRejection(amount) ?? closedRejection(state, userId);
  if (rejection) return refuse(rejection);
  const available = state.novaBalance(userId);
  if (amount > available) return refuse({ ...insufficient(available), message: 'Amount exceeds current balance' });
  const paid = state.mix(userId);
  const before = amount > paid.earned ? payoutInFull(state, userId) : [];
  if ('rejection' in before) return before;
  const earned = smaller(amount, paid.earned + paidBy(before));
  const mix: Mix = { earned, purchased: amount - earned };
  const entries = new Postings().takeFromUser(userId, mix).add('issuance:NOVA', amount).entries();
  return [...before, { type: 'NovaDeducted', userId, adminId, amount, entries }];
}

/** Nova that an admin gives or takes (rule admin-7). Each row of a bulk is an event of its own. */
export const adminAdjustment: Movement<
  GrantNova | GrantNovaInBulk | DeductNova,
  NovaGranted | NovaDeducted,
  'admin_grant' | 'admin_deduct'
> = {
  commands: { GrantNova: grant, GrantNovaInBulk: grantInBulk, DeductNova: deduct },
  events: {
    NovaGranted: {
      fields: { userId: 'text', adminId: 'text', amount: 'minor' },
      effect: (state, { adminId, amount }) => state.countAdminGrant(adminId, amount),
      posts: carryNothing,
      cameFrom: ({ userId, adminId, amount }) => ({ type: 'GrantNova', userId, adminId, amount }),
      onceOnly: null,
      sentence: ({ userId, amount }, { member }) => `${novaText(amount)} were added by an admin to ${member(userId)}`,
      statementRows: ({ adminId }) => [{ type: 'admin_grant', subject: adminId }],
      ...COUNTS_NOWHERE,
    },
    NovaDeducted: {
      fields: { userId: 'text', adminId: 'text', amount: 'minor' },
      effect: null,
      posts: postDeduction,
      cameFrom: ({ userId, adminId, amount }) => ({ type: 'DeductNova', userId, adminId, amount }),
      onceOnly: null,
      sentence: ({ userId, amount }, { member }) =>
        `${novaText(amount)} were deducted by an admin from ${member(userId)}`,
      statementRows: ({ adminId }) => [{ type: 'admin_deduct', subject: adminId }],
      ...COUNTS_NOWHERE,
    },
  },
  rows: {
    admin_grant: { words: () => 'Nova added by an admin', earnedFromOthers: false },
    admin_deduct: { words: () => 'Nova deducted by an admin', earnedFromOthers: false },
  },
};
