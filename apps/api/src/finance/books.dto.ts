import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ACCOUNT_KINDS, type AccountKind, CURRENCIES, type Currency, parseAccountName } from '@app/domain';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, IsUUID, Max, Min, ValidateBy } from 'class-validator';
import { DayOrMomentField } from '../platform/day-or-moment.js';
import { CursorPageDto } from '../wallet/paging.dto.js';
import { EXPORT_FORMATS, type ExportFormat } from './export.js';
import { OWN_ACCOUNTS_CHARS_MAX } from './exports/own-accounts.js';

const REVISION_MAX = 999_999_999_999;
const WRONG_REVISION = {
  message: 'The revision must be a whole number from 0.',
  context: { code: 'INVALID_REVISION' },
};

const RevisionField = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: 'integer', minimum: 0, description: 'The journal up to this event; instead of `at`.' }),
    Max(REVISION_MAX, WRONG_REVISION),
    Min(0, WRONG_REVISION),
    IsInt(WRONG_REVISION),
    Type(() => Number),
    IsOptional(),
  );

const isAccountName = (value: unknown): boolean => typeof value === 'string' && parseAccountName(value) !== undefined;

const AccountField = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: String, description: 'An account by its name: `treasury`, `user:{id}:earned`.' }),
    IsOptional(),
    ValidateBy(
      { name: 'isAccountName', validator: { validate: isAccountName } },
      { message: 'There is no such account.', context: { code: 'INVALID_ACCOUNT' } },
    ),
  );

/** A moment of the journal: now, unless a time or a revision is given. */
export class MomentQueryDto {
  @DayOrMomentField('A day (`2026-01-31`, UTC, to its end) or a moment (ISO 8601).')
  at?: string;

  @RevisionField()
  revision?: number;
}

/** A period of journal time, both ends included; from the first event and up to now where none is given. */
export class PeriodQueryDto {
  @DayOrMomentField()
  from?: string;

  /** A day counts whole. */
  @DayOrMomentField()
  to?: string;
}

export class AccountsQueryDto extends CursorPageDto {
  @ApiProperty({ enum: ACCOUNT_KINDS })
  @IsIn(ACCOUNT_KINDS, { message: 'There is no such kind of account.', context: { code: 'INVALID_KIND' } })
  kind: AccountKind;

  @DayOrMomentField('A day (`2026-01-31`, UTC, to its end) or a moment (ISO 8601).')
  at?: string;

  @RevisionField()
  revision?: number;
}

export class EntriesQueryDto extends CursorPageDto {
  @AccountField()
  account?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'All accounts of a member, instead of `account`.' })
  @IsUUID(undefined, { message: 'There is no such user.', context: { code: 'INVALID_USER' } })
  @IsOptional()
  userId?: string;

  @DayOrMomentField()
  from?: string;

  /** A day counts whole. */
  @DayOrMomentField()
  to?: string;

  @RevisionField()
  revision?: number;
}

export class ExportQueryDto extends PeriodQueryDto {
  @ApiProperty({ enum: EXPORT_FORMATS })
  @IsIn(EXPORT_FORMATS, {
    message: `The format must be one of ${EXPORT_FORMATS.join(', ')}.`,
    context: { code: 'INVALID_FORMAT' },
  })
  format: ExportFormat;

  @ApiPropertyOptional({
    maxLength: OWN_ACCOUNTS_CHARS_MAX,
    description: 'For `postings`: the numbers of your own accounts, a line `account,number` for each dollar account.',
  })
  @IsString({ message: 'Give the accounts as one text.', context: { code: 'INVALID_ACCOUNTS' } })
  @IsOptional()
  accounts?: string;
}

/** The journal once an event was in it. */
export class MomentDto {
  @ApiProperty({ type: 'integer', description: 'The last event, −1 before the first one.' })
  revision: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When that event happened.' })
  at: string | null;

  @ApiProperty({ description: 'The hash of the chain there: it stands for everything before.' })
  hash: string;
}

export class KindBalanceDto {
  @ApiProperty({ enum: ACCOUNT_KINDS })
  kind: AccountKind;

  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;

  @ApiProperty({ description: 'In units of the currency; what is issued or taken in from outside is negative.' })
  balance: number;
}

/** `GET /api/admin/finance/trial-balance`: every currency sums to zero. */
export class TrialBalanceDto {
  moment: MomentDto;

  @ApiProperty({
    type: [KindBalanceDto],
    description: 'Kinds that are not at zero, in the order of the documentation.',
  })
  lines: KindBalanceDto[];
}

/** Who an account belongs to. An erased member reads "Deleted member". */
export class AccountOwnerDto {
  @ApiProperty({ enum: ['member', 'application'] })
  kind: 'member' | 'application';

  id: string;
  displayName: string;
}

export class AccountDto {
  @ApiProperty({ example: 'user:018f…:earned' })
  account: string;

  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;

  balance: number;

  owner: AccountOwnerDto | null;
}

export class AccountsDto {
  moment: MomentDto;

  @ApiProperty({ type: [AccountDto], description: 'Those that are not at zero, by the id in their names.' })
  accounts: AccountDto[];

  @ApiProperty({ type: String, nullable: true, description: 'Send it back as `cursor` for the next page.' })
  nextCursor: string | null;
}

export class BookEntryDto {
  @ApiProperty({ type: 'integer' })
  revision: number;

  eventId: string;

  @ApiProperty({ example: 'GiftSent' })
  type: string;

  @ApiProperty({ example: 'Ada sent a gift of 1,000 Nova to Bob' })
  description: string;

  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  @ApiProperty({ example: 'user:018f…:earned' })
  account: string;

  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;

  @ApiProperty({ description: 'What the account gains or, negative, gives.' })
  amount: number;

  @ApiProperty({ description: 'Of the account, after this entry.' })
  balanceAfter: number;

  @ApiProperty({ description: 'Of the event, in the chain.' })
  hash: string;
}

export class EntriesDto {
  opening: MomentDto;
  closing: MomentDto;

  @ApiProperty({ type: [BookEntryDto], description: 'Newest first.' })
  entries: BookEntryDto[];

  @ApiProperty({ type: String, nullable: true, description: 'Send it back as `cursor` for the next page.' })
  nextCursor: string | null;
}

export class StatementLineDto {
  @ApiProperty({ example: 'user:018f…:earned' })
  account: string;

  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;

  opening: number;
  in: number;

  @ApiProperty({ description: 'What the account gave: zero or negative.' })
  out: number;

  @ApiProperty({ description: 'opening + in + out.' })
  closing: number;
}

export class OpeningClosingDto {
  opening: number;
  closing: number;
}

export class StatementMemberDto {
  id: string;
  displayName: string;
  email: string;
}

/** `GET /api/admin/finance/members/{id}/statement`. */
export class MemberStatementDto {
  member: StatementMemberDto;
  opening: MomentDto;
  closing: MomentDto;

  lines: StatementLineDto[];

  @ApiProperty({
    type: OpeningClosingDto,
    description: 'What reward pools owe: counted in the Nova balance, in no account of the member.',
  })
  owed: OpeningClosingDto;

  @ApiProperty({ type: OpeningClosingDto, description: 'The Nova balance: purchased + earned + owed.' })
  nova: OpeningClosingDto;
}
