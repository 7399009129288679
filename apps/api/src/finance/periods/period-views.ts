import { type Currency, Money, type PeriodSealed } from '@app/domain';
import { actorKind } from '../../platform/actor-kind.js';
import type { ClosedPeriod } from './sealed-periods.js';
import type { PeriodDto, PeriodRootDto, PeriodTotalDto } from './periods.dto.js';

type Plain<T> = { readonly [K in keyof T]: T[K] };

export const toRoot = (period: PeriodSealed): PeriodRootDto => rootOf(period);

const rootOf = (period: PeriodSealed): Plain<PeriodRootDto> => ({
  number: period.number,
  endsAt: new Date(period.endsAt).toISOString(),
  firstRevision: period.firstRevision,
  lastRevision: period.lastRevision,
  chainHash: period.chainHash,
  root: period.root,
  totalsHash: period.totalsHash,
  previousSeal: period.previousSeal,
  seal: period.seal,
});

export const toPeriod = (period: ClosedPeriod, nameOf: (adminId: string) => string): PeriodDto => ({
  ...rootOf(period),
  closedAt: new Date(period.at).toISOString(),
  actor: actorKind(period.actor),
  closedBy: period.adminId === null ? null : nameOf(period.adminId),
  events: period.lastRevision - period.firstRevision + 1,
  totals: period.totals.split('\n').filter(Boolean).map(toTotal),
});

function toTotal(line: string): PeriodTotalDto {
  const [kind = '', currency = '', minor = '0'] = line.split(' ');
  return { kind, currency, amount: Money.ofMinor(BigInt(minor), currency as Currency).toNumber() };
}
