import { Inject, Injectable } from '@nestjs/common';
import {
  BOOKS_STREAM,
  type BooksEvent,
  CHART,
  decodeBooksEvent,
  type DollarAccount,
  type Group,
  type MovementKind,
  normalSide,
  type RollForward,
} from '@app/domain';
import { type EventStore, upcast } from '@app/event-store';
import type { BooksPolicy, DollarLine } from '@app/projections';
import { AdminReasons } from '../../admin/admin-reasons.js';
import { EVENT_STORE } from '../../platform/journal/injected-journal.js';
import { BooksView } from '../books-view.js';
import { exactDollars } from './dollars-text.js';
import type { FiscalCalendar, FiscalPeriod } from './fiscal-calendar.js';
import type {
  ControlDayDto,
  DollarLineDto,
  FiscalPeriodDto,
  GroupDto,
  OpenAccountDto,
  PeriodStatementsDto,
  PolicyInForceDto,
  RollForwardDto,
} from './general-ledger.dto.js';
import type { ControlDay, FinancialStatements, OpenAccount } from './general-ledger-reports.js';

const MOVEMENTS: Readonly<Record<MovementKind, string>> = {
  payment: 'Payment',
  refund: 'Refund',
  'refund-failed': 'Refund that failed',
  dispute: 'Dispute',
  'dispute-won': 'Dispute that was won',
  fee: 'Charge of the payment provider',
  payout: 'Payout to the bank',
  'payout-returned': 'Payout that came back',
  'top-up': 'Top-up from the bank',
  other: 'Movement of an unknown kind',
};

/** The dollar books as the API shows them. */
@Injectable()
export class GeneralLedgerView {
  constructor(
    private readonly view: BooksView,
    private readonly reasons: AdminReasons,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  async lines(lines: readonly DollarLine[]): Promise<DollarLineDto[]> {
    const revisions = lines.filter(({ source }) => source === 'ledger').map(({ revision }) => revision);
    const [events, acts] = await Promise.all([this.view.described(revisions), this.acts(lines)]);
    return lines.map(({ source, revision, type, subject, at, cents, micros }) => {
      const event = source === 'ledger' ? events.get(revision) : undefined;
      return {
        source,
        revision,
        type,
        description: event?.description ?? acts.get(revision) ?? type,
        eventId: event?.eventId ?? null,
        subject,
        postedAt: at.toISOString(),
        cents: Number(cents),
        exact: exactDollars(micros),
      };
    });
  }

  policies(policies: readonly BooksPolicy[], calendar: FiscalCalendar): Promise<PolicyInForceDto[]> {
    return Promise.all(
      policies.map(async ({ allowancePercent, effectiveAt, reasonId }) => ({
        allowancePercent,
        month: calendar.monthOf(effectiveAt),
        reason: (await this.reasons.find(reasonId)) ?? null,
      })),
    );
  }

  private async acts(lines: readonly DollarLine[]): Promise<ReadonlyMap<number, string>> {
    const revisions = [...new Set(lines.filter(({ source }) => source === 'books').map(({ revision }) => revision))];
    const found = await Promise.all(revisions.map((revision) => this.act(revision)));
    return new Map(revisions.map((revision, index) => [revision, found[index] ?? '']));
  }

  private async act(revision: number): Promise<string | undefined> {
    for await (const [recorded] of this.store.readStream(BOOKS_STREAM, { from: revision, limit: 1 })) {
      if (!recorded) continue;
      const event = decodeBooksEvent(recorded.type, upcast(recorded.type, recorded.data));
      const reason = 'reasonId' in event ? await this.reasons.find(event.reasonId) : undefined;
      return reason === undefined ? sentenceOf(event) : `${sentenceOf(event)}: ${reason}`;
    }
    return undefined;
  }
}

function sentenceOf(event: BooksEvent): string {
  switch (event.type) {
    case 'ProviderMoved':
      return `${MOVEMENTS[event.kind]} ${event.providerId ?? event.movementId}`;
    case 'SubjectExplained':
      return `Difference of ${event.subject} explained`;
    case 'AdjustmentPosted':
      return 'Adjustment';
    case 'PolicySet':
      return 'Policy set';
    case 'ProviderRead':
      return 'The provider was looked at';
    case 'BooksPeriodClosed':
      return `Closing entry of period ${event.number}`;
  }
}

export const periodDto = ({ from, to }: FiscalPeriod): FiscalPeriodDto => ({
  from: from.toISOString(),
  to: to.toISOString(),
});

/** @param side 1 for a group that debits add to, −1 for one that credits add to */
const groupDto = ({ figures, cents }: Group, side: 1n | -1n): GroupDto => ({
  figures: figures.map((figure) => ({
    account: figure.account,
    label: CHART[figure.account].label,
    class: CHART[figure.account].class,
    isContra: normalSide(figure.account) !== side,
    cents: Number(figure.cents),
  })),
  cents: Number(cents),
});

const rollForwardDto = (cents: RollForward<bigint>, micros: RollForward<bigint>): RollForwardDto => ({
  openingCents: Number(cents.opening),
  openingExact: exactDollars(micros.opening),
  flows: cents.flows.map(({ flow, amount }, index) => ({
    flow,
    cents: Number(amount),
    exact: exactDollars(micros.flows[index]?.amount ?? 0n),
  })),
  roundingCents: Number(cents.rounding),
  closingCents: Number(cents.closing),
  closingExact: exactDollars(micros.closing),
});

export function statementsDto(statements: FinancialStatements, isClosed: boolean): PeriodStatementsDto {
  const { period, balanceSheet, incomeStatement, rollForward, rollForwardInMicros } = statements;
  return {
    period: periodDto(period),
    isClosed,
    balanceSheet: {
      assets: groupDto(balanceSheet.assets, 1n),
      liabilities: groupDto(balanceSheet.liabilities, -1n),
      equity: groupDto(balanceSheet.equity, -1n),
      resultCents: Number(balanceSheet.result),
    },
    incomeStatement: {
      revenue: groupDto(incomeStatement.revenue, -1n),
      expenses: groupDto(incomeStatement.expenses, 1n),
      resultCents: Number(incomeStatement.result),
    },
    rollForward: rollForwardDto(rollForward, rollForwardInMicros),
  };
}

export const openAccountDto = ({ account, count, unsettled, subjects }: OpenAccount): OpenAccountDto => ({
  account: account as OpenAccountDto['account'],
  label: labelOf(account),
  count,
  unsettled,
  subjects: subjects.map(({ subject, cents, centsNow, since }) => ({
    subject,
    cents: Number(cents),
    centsNow: Number(centsNow),
    since: since.toISOString(),
  })),
});

const labelOf = (account: DollarAccount): string => CHART[account].label;

export const controlDayDto = ({ day, provider, journal, difference }: ControlDay): ControlDayDto => ({
  day,
  provider: {
    openingCents: Number(provider.opening),
    paymentsCents: Number(provider.payments),
    refundsCents: Number(provider.refunds),
    disputesCents: Number(provider.disputes),
    feesCents: Number(provider.fees),
    payoutsCents: Number(provider.payouts),
    otherCents: Number(provider.other),
    closingCents: Number(provider.closing),
  },
  purchasesCents: Number(journal.purchases),
  reversalsCents: Number(journal.reversals),
  differenceCents: Number(difference),
});
