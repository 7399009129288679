import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BULK_ROWS_MAX, GIFT_MESSAGES } from '@app/domain';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsString,
  IsUUID,
  MaxLength,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { GiftAmount } from '../gifts/gift-amount.js';
import { MovementDescription, TokenAmount } from './token-amount.js';

const ID_MAX = 64;

/** `POST /api/tokens/spend` and `…/earn` (rules apps-2, apps-3). */
export class TokenMovementDto {
  @TokenAmount()
  amount: number;

  @MovementDescription()
  description?: string | null;
}

/** `POST /api/tokens/transfer`: a gift, with the gift's limits (rule apps-4). */
export class TokenTransferDto {
  @ApiProperty({ maxLength: ID_MAX, description: 'Who gets half of it.' })
  @MaxLength(ID_MAX, { message: GIFT_MESSAGES.recipient })
  @MinLength(1, { message: GIFT_MESSAGES.recipient, context: { code: 'REQUIRED' } })
  @IsString({ message: GIFT_MESSAGES.recipient, context: { code: 'REQUIRED' } })
  recipientId: string;

  @GiftAmount()
  amount: number;

  @MovementDescription()
  description?: string | null;
}

/** One payment of a bulk. */
export class BulkPaymentDto {
  @ApiProperty({ format: 'uuid', description: 'The member, `sub` of their id token.' })
  @IsUUID('all', { message: 'Each item needs the id of a member.', context: { code: 'INVALID_MEMBER' } })
  userId: string;

  @TokenAmount()
  amount: number;

  @MovementDescription()
  description?: string | null;
}

const ITEMS = `A bulk has 1 to ${BULK_ROWS_MAX} items.`;

/** `POST /api/tokens/earn/bulk` (rule apps-10). */
export class BulkPaymentsDto {
  @ApiProperty({ type: [BulkPaymentDto] })
  @ValidateNested({ each: true, message: ITEMS })
  @Type(() => BulkPaymentDto)
  @ArrayMinSize(1, { message: ITEMS })
  @ArrayMaxSize(BULK_ROWS_MAX, { message: ITEMS })
  @IsArray({ message: ITEMS })
  items: BulkPaymentDto[];
}

export class BulkPaidItemDto {
  userId: string;

  @ApiProperty({ example: 25 })
  amount: number;

  @ApiProperty({ description: "The id of the journal's event." })
  transactionId: string;
}

/** What a bulk did: every item, in its order. Amounts in Nova. */
export class BulkPaidDto {
  @ApiProperty({ example: 'Paid 75 Nova to members in 3 payments.' })
  message: string;

  @ApiProperty({ type: [BulkPaidItemDto] })
  items: BulkPaidItemDto[];

  @ApiProperty({ example: 75 })
  total: number;

  @ApiProperty({ description: 'False when lists and balances do not show it yet.' })
  projected: boolean;

  @ApiProperty({ description: 'False in test mode, where members and Nova are made up.' })
  livemode: boolean;
}

/** What a movement did. Amounts in Nova. */
export class TokenMovementDoneDto {
  @ApiProperty({ example: 'Spent 25 Nova.' })
  message: string;

  @ApiProperty({ description: "The id of the journal's event." })
  transactionId: string;

  @ApiProperty({ example: 25 })
  amount: number;

  @ApiProperty({ description: "The member's Nova balance after it." })
  novaBalance: number;

  @ApiProperty({ description: 'False when lists and balances do not show it yet.' })
  projected: boolean;

  @ApiProperty({ description: 'False in test mode, where members and Nova are made up.' })
  livemode: boolean;
}

export class TokensSpentDto extends TokenMovementDoneDto {
  @ApiProperty({ description: 'What the application may still spend for this member until midnight UTC, in Nova.' })
  leftToday: number;
}

export class TransferSharesDto {
  recipientId: string;

  @ApiProperty({ example: 500 })
  recipientShare: number;

  @ApiProperty({ example: 500 })
  influenceShare: number;
}

export class TokensTransferredDto extends TokensSpentDto {
  gift: TransferSharesDto;
}

/** One movement through an application, as the application sees it. */
export class TokenTransactionDto {
  @ApiProperty({ description: "The id of the journal's event." })
  id: string;

  @ApiProperty({
    enum: ['spend', 'earn', 'transfer', 'spend_reversed', 'earn_reversed', 'transfer_reversed'],
    description: 'An administrator took back what ends in `_reversed`.',
  })
  type: 'spend' | 'earn' | 'transfer' | 'spend_reversed' | 'earn_reversed' | 'transfer_reversed';

  @ApiProperty({ example: 25 })
  amount: number;

  description: string | null;

  @ApiPropertyOptional({ description: 'Of a transfer.' })
  recipientId?: string;

  @ApiProperty({ format: 'date-time' })
  createdAt: string;
}

/** `GET /api/tokens/transactions`: this member's, through this application alone. */
export class TokenTransactionsDto {
  @ApiProperty({ type: [TokenTransactionDto], description: 'Newest first.' })
  transactions: TokenTransactionDto[];

  @ApiProperty({ type: String, nullable: true, description: 'Send it back as `cursor` for the next page.' })
  nextCursor: string | null;

  @ApiProperty({ description: 'False in test mode, where members and Nova are made up.' })
  livemode: boolean;
}

export class NovaStandingDto {
  @ApiProperty({ description: 'Spendable Nova.' })
  balance: number;

  @ApiProperty({ description: 'Bought with a card.' })
  purchased: number;

  @ApiProperty({ description: 'Earned, with what reward pools owe and have not yet credited.' })
  earned: number;

  @ApiProperty({ description: 'What the member lets this application spend a UTC day, in Nova.' })
  dailyLimit: number;

  @ApiProperty({ description: 'Spent and transferred since midnight UTC.' })
  spentToday: number;

  leftToday: number;
}

export class KarmaStandingDto {
  @ApiProperty({ type: 'integer' })
  balance: number;
}

export class InfluenceStandingDto {
  @ApiProperty({ type: 'integer' })
  points: number;

  @ApiProperty({ description: '0.00 to 9.99; 5.0 while nobody has rated.' })
  rating: number;
}

/** `GET /api/oauth/token-balances`: a part whose scope was not granted is absent (rule apps-6). */
export class TokenBalancesDto {
  @ApiProperty({ description: 'The member, `sub` of the id token.' })
  userId: string;

  @ApiPropertyOptional({ type: NovaStandingDto, description: 'Scope `nova`.' })
  nova?: NovaStandingDto;

  @ApiPropertyOptional({ type: KarmaStandingDto, description: 'Scope `karma`.' })
  karma?: KarmaStandingDto;

  @ApiPropertyOptional({ type: InfluenceStandingDto, description: 'Scope `influence`.' })
  influence?: InfluenceStandingDto;

  @ApiProperty({ description: 'False in test mode, where members and Nova are made up.' })
  livemode: boolean;
}
