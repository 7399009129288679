import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  type AccountClass,
  CHART,
  DOLLAR_ACCOUNTS,
  type DollarAccount,
  type Flow,
  FLOWS,
  REASON_MAX,
} from '@app/domain';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { EmptyIsAbsent, MemberText } from '../../platform/text.js';
import { Limit, Offset } from '../../wallet/paging.dto.js';
import { CONTROL_ACCOUNTS } from './general-ledger-reports.js';

const SUBJECT_MAX = 100;
const OFFSET_MAX = 100_000;
const ADJUSTMENT_LINES_MIN = 2;
const ADJUSTMENT_LINES_MAX = 50;
const ADJUSTMENT_LINES = `An adjustment has ${ADJUSTMENT_LINES_MIN} to ${ADJUSTMENT_LINES_MAX} lines, each with an account and cents.`;
const CENTS_MAX = 1_000_000_000_000;
const PERCENT = 'The allowance is 0 to 100 percent, without decimals.';
const CLASSES = [...new Set(Object.values(CHART).map((entry) => entry.class))];

const MonthField = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: String, description, example: '2026-02' }),
    Matches(/^\d{4}-(0[1-9]|1[0-2])$/, {
      message: 'A month is written like 2026-02.',
      context: { code: 'INVALID_MONTH' },
    }),
    IsOptional(),
    EmptyIsAbsent(),
  );

const DayField = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: String, format: 'date', description }),
    Matches(/^\d{4}-\d{2}-\d{2}$/, {
      message: 'A date is written like 2026-02-28.',
      context: { code: 'INVALID_DATE' },
    }),
    IsOptional(),
    EmptyIsAbsent(),
  );

const AccountField = (accounts: readonly DollarAccount[] = DOLLAR_ACCOUNTS): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ enum: accounts }),
    IsIn(accounts, {
      message: `The account must be one of ${accounts.join(', ')}.`,
      context: { code: 'INVALID_ACCOUNT' },
    }),
  );

const SubjectField = (): PropertyDecorator =>
  applyDecorators(
    Matches(/^[\w:-]*$/, { message: 'There is no such subject.', context: { code: 'INVALID_SUBJECT' } }),
    MaxLength(SUBJECT_MAX, { message: 'There is no such subject.', context: { code: 'INVALID_SUBJECT' } }),
    IsString({ message: 'There is no such subject.', context: { code: 'INVALID_SUBJECT' } }),
  );

/** Which account takes a difference. */
export const TakenByField = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      enum: DOLLAR_ACCOUNTS,
      description:
        'The account that takes the difference: unless named, the loss from differences or receipts not applied.',
    }),
    IsIn(DOLLAR_ACCOUNTS, {
      message: `The account must be one of ${DOLLAR_ACCOUNTS.join(', ')}.`,
      context: { code: 'INVALID_ACCOUNT' },
    }),
    IsOptional(),
    EmptyIsAbsent(),
  );

/** A month, or days, in the time zone of the books; this month if nothing is given. */
export class FiscalPeriodQueryDto {
  @MonthField('A month in the time zone of the books, instead of `from` and `to`.')
  month?: string;

  @DayField('The first day, in the time zone of the books.')
  from?: string;

  @DayField('The last day; today where only `from` is given.')
  to?: string;
}

export class StatementsQueryDto extends FiscalPeriodQueryDto {
  @MonthField('Another month beside it.')
  compare?: string;
}

export class DollarLinesQueryDto extends FiscalPeriodQueryDto {
  @AccountField()
  account: DollarAccount;

  @ApiPropertyOptional({ type: String, description: 'A payment, dispute or member.' })
  @SubjectField()
  @IsOptional()
  @EmptyIsAbsent()
  subject?: string;

  @ApiPropertyOptional({ enum: FLOWS, description: 'Only what moved deferred revenue in this way.' })
  @IsIn(FLOWS, { message: `A flow is one of ${FLOWS.join(', ')}.`, context: { code: 'INVALID_FLOW' } })
  @IsOptional()
  @EmptyIsAbsent()
  flow?: Flow;

  @Limit()
  limit: number = 50;

  @ApiPropertyOptional({ description: '`nextCursor` of the page before.' })
  @MaxLength(64, { message: 'The cursor is not one that was given out.', context: { code: 'INVALID_CURSOR' } })
  @IsOptional()
  cursor?: string;
}

export class OpenSubjectsQueryDto extends FiscalPeriodQueryDto {
  @Limit()
  limit: number = 20;

  @Offset(OFFSET_MAX)
  offset: number = 0;
}

export class FiscalPeriodDto {
  @ApiProperty({ format: 'date-time', description: 'Its first moment.' })
  from: string;

  @ApiProperty({ format: 'date-time', description: 'Its last moment.' })
  to: string;
}

export class FigureDto {
  @ApiProperty({ enum: DOLLAR_ACCOUNTS })
  account: DollarAccount;

  label: string;

  @ApiProperty({ enum: CLASSES })
  class: AccountClass;

  @ApiProperty({ description: 'Whether the account lowers its group: an allowance, refunds.' })
  isContra: boolean;

  @ApiProperty({ type: 'integer', description: 'Positive where the account has what it is for.' })
  cents: number;
}

export class GroupDto {
  figures: FigureDto[];

  @ApiProperty({ type: 'integer' })
  cents: number;
}

export class BalanceSheetDto {
  assets: GroupDto;
  liabilities: GroupDto;
  equity: GroupDto;

  @ApiProperty({ type: 'integer', description: 'The result of the period. Assets are the sum of the other three.' })
  resultCents: number;
}

export class IncomeStatementDto {
  revenue: GroupDto;
  expenses: GroupDto;

  @ApiProperty({ type: 'integer', description: 'Below zero for a loss.' })
  resultCents: number;
}

export class FlowDto {
  @ApiProperty({ enum: FLOWS })
  flow: Flow;

  @ApiProperty({ type: 'integer' })
  cents: number;

  @ApiProperty({ description: 'Exact, in dollars with six decimals.', example: '80.010000' })
  exact: string;
}

/** What deferred revenue came from: opening + flows + rounding = closing. */
export class RollForwardDto {
  @ApiProperty({ type: 'integer' })
  openingCents: number;
  openingExact: string;

  @ApiProperty({ type: [FlowDto] })
  flows: FlowDto[];

  @ApiProperty({ type: 'integer' })
  roundingCents: number;

  @ApiProperty({ type: 'integer' })
  closingCents: number;
  closingExact: string;
}

export class PeriodStatementsDto {
  period: FiscalPeriodDto;

  @ApiProperty({ description: 'Whether these figures are sealed.' })
  isClosed: boolean;

  balanceSheet: BalanceSheetDto;
  incomeStatement: IncomeStatementDto;
  rollForward: RollForwardDto;
}

/** `GET /api/admin/finance/general-ledger/statements`. */
export class FinancialStatementsDto {
  @ApiProperty({ enum: ['USD', 'XTS'], description: '`XTS` where Nova was bought with play money.' })
  currency: 'USD' | 'XTS';

  @ApiProperty({ description: 'Of the books (IANA).' })
  timeZone: string;

  statements: PeriodStatementsDto;

  @ApiProperty({ type: PeriodStatementsDto, nullable: true })
  comparison: PeriodStatementsDto | null;
}

export class DollarLineDto {
  @ApiProperty({
    enum: ['ledger', 'books'],
    description: 'The journal, or movements at the provider and acts of finance.',
  })
  source: 'ledger' | 'books';

  @ApiProperty({ type: 'integer', description: 'Of the event in its stream.' })
  revision: number;

  @ApiProperty({ example: 'GiftSent' })
  type: string;

  @ApiProperty({ description: 'What happened, in a sentence.' })
  description: string;

  @ApiProperty({ type: String, nullable: true, description: 'Of the journal’s event, for its own page.' })
  eventId: string | null;

  @ApiProperty({ description: 'A payment, dispute or member; empty for none.' })
  subject: string;

  @ApiProperty({ format: 'date-time' })
  postedAt: string;

  @ApiProperty({ type: 'integer', description: 'Debits are positive.' })
  cents: number;

  @ApiProperty({ description: 'What was carried, in dollars with six decimals.', example: '80.010000' })
  exact: string;
}

export class DollarLinesDto {
  period: FiscalPeriodDto;

  @ApiProperty({ type: [DollarLineDto], description: 'Newest first.' })
  lines: DollarLineDto[];

  @ApiProperty({ type: String, nullable: true, description: 'Send it back as `cursor` for the next page.' })
  nextCursor: string | null;
}

export class OpenSubjectDto {
  subject: string;

  @ApiProperty({ type: 'integer', description: 'Positive: the journal has more than the provider.' })
  cents: number;

  @ApiProperty({ type: 'integer', description: 'What is left of it by now; zero if it was settled since.' })
  centsNow: number;

  @ApiProperty({ format: 'date-time' })
  since: string;
}

export class OpenAccountDto {
  @ApiProperty({ enum: CONTROL_ACCOUNTS })
  account: (typeof CONTROL_ACCOUNTS)[number];

  label: string;

  @ApiProperty({ type: 'integer' })
  count: number;

  @ApiProperty({ type: 'integer', description: 'Those of them that still are open.' })
  unsettled: number;

  @ApiProperty({ type: [OpenSubjectDto], description: 'Oldest first.' })
  subjects: OpenSubjectDto[];
}

export class OpenSubjectsDto {
  period: FiscalPeriodDto;
  accounts: OpenAccountDto[];
}

export class ProviderDayDto {
  @ApiProperty({ type: 'integer' })
  openingCents: number;
  @ApiProperty({ type: 'integer' })
  paymentsCents: number;
  @ApiProperty({ type: 'integer' })
  refundsCents: number;
  @ApiProperty({ type: 'integer' })
  disputesCents: number;
  @ApiProperty({ type: 'integer' })
  feesCents: number;
  @ApiProperty({ type: 'integer' })
  payoutsCents: number;
  @ApiProperty({ type: 'integer' })
  otherCents: number;
  @ApiProperty({ type: 'integer' })
  closingCents: number;
}

/** A day on which something moved: opening + movements = closing. */
export class ControlDayDto {
  @ApiProperty({ format: 'date' })
  day: string;

  provider: ProviderDayDto;

  @ApiProperty({ type: 'integer', description: 'Purchases of the journal.' })
  purchasesCents: number;

  @ApiProperty({ type: 'integer', description: 'Reversals of the journal.' })
  reversalsCents: number;

  @ApiProperty({ type: 'integer', description: 'What is open between the two at the end of the day.' })
  differenceCents: number;
}

export class ControlTotalsDto {
  period: FiscalPeriodDto;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'All movements before it are known.' })
  providerReadUntil: string | null;

  days: ControlDayDto[];
}

export class ExplainSubjectDto {
  @AccountField(CONTROL_ACCOUNTS)
  account: DollarAccount;

  @ApiProperty()
  @SubjectField()
  subject: string;

  @TakenByField()
  takenBy?: DollarAccount;

  @ApiProperty({ maxLength: REASON_MAX })
  @MemberText({ min: 1, max: REASON_MAX }, { message: `Say why, in at most ${REASON_MAX} characters.` })
  reason: string;
}

export class AdjustmentLineDto {
  @AccountField()
  account: DollarAccount;

  @ApiProperty({ type: 'integer', description: 'Debits are positive. All lines sum to zero.' })
  @Min(-CENTS_MAX, { message: 'The amount is too large.' })
  @Max(CENTS_MAX, { message: 'The amount is too large.' })
  @IsInt({ message: 'An amount is a whole number of cents.' })
  cents: number;
}

export class PostAdjustmentDto {
  @ApiProperty({ format: 'date', description: 'In the time zone of the books.' })
  @Matches(/^\d{4}-\d{2}-\d{2}$/, { message: 'A date is written like 2026-02-28.', context: { code: 'INVALID_DATE' } })
  date: string;

  @ApiProperty({ type: [AdjustmentLineDto] })
  @ValidateNested({ each: true, message: ADJUSTMENT_LINES })
  @Type(() => AdjustmentLineDto)
  @ArrayMinSize(ADJUSTMENT_LINES_MIN, { message: ADJUSTMENT_LINES })
  @ArrayMaxSize(ADJUSTMENT_LINES_MAX, { message: ADJUSTMENT_LINES })
  lines: AdjustmentLineDto[];

  @ApiProperty({ maxLength: REASON_MAX })
  @MemberText({ min: 1, max: REASON_MAX }, { message: `Say why, in at most ${REASON_MAX} characters.` })
  reason: string;
}

class PolicyDto {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 100,
    description: 'How much of what members owe is expected to be lost.',
  })
  @Min(0, { message: PERCENT })
  @Max(100, { message: PERCENT })
  @IsInt({ message: PERCENT })
  allowancePercent: number;

  @ApiProperty({
    example: '2026-02',
    description: 'The first month for which it holds, in the time zone of the books.',
  })
  @Matches(/^\d{4}-(0[1-9]|1[0-2])$/, {
    message: 'A month is written like 2026-02.',
    context: { code: 'INVALID_MONTH' },
  })
  month: string;
}

export class SetPolicyDto extends PolicyDto {
  @ApiProperty({ maxLength: REASON_MAX })
  @MemberText({ min: 1, max: REASON_MAX }, { message: `Say why, in at most ${REASON_MAX} characters.` })
  reason: string;
}

export class PolicyInForceDto extends PolicyDto {
  @ApiProperty({ type: String, nullable: true, description: 'Null once it was erased.' })
  reason: string | null;
}

export class PoliciesDto {
  @ApiProperty({ type: [PolicyInForceDto], description: 'The latest first; none: the defaults.' })
  policies: PolicyInForceDto[];
}

export class CloseMonthDto {
  @ApiProperty({ example: '2026-02', description: 'The month that ends the period, in the time zone of the books.' })
  @Matches(/^\d{4}-(0[1-9]|1[0-2])$/, {
    message: 'A month is written like 2026-02.',
    context: { code: 'INVALID_MONTH' },
  })
  month: string;
}

export class ClosedMonthDto {
  @ApiProperty({ type: 'integer' })
  number: number;

  @ApiProperty({ example: '2026-02' })
  month: string;

  @ApiProperty({ format: 'date-time' })
  endsAt: string;
}

export class ClosedMonthsDto {
  @ApiProperty({ description: 'Of the books (IANA).' })
  timeZone: string;

  @ApiProperty({ type: [ClosedMonthDto], description: 'Newest first.' })
  periods: ClosedMonthDto[];

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'All movements before it are known.' })
  providerReadUntil: string | null;
}
