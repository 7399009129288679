import { ApiProperty } from '@nestjs/swagger';

/** `GET /api/nova/balance`. Amounts in Nova; `novaBalance` = purchased + earned + owed (rule wallet-1). */
export class BalanceDto {
  @ApiProperty({ description: 'Spendable Nova: purchased + earned + owed.' })
  novaBalance: number;

  @ApiProperty({ description: 'Bought with a card; not refundable.' })
  purchasedNova: number;

  earnedNova: number;

  @ApiProperty({ description: 'What reward pools owe and have not yet credited.' })
  owedNova: number;

  @ApiProperty({ description: 'Earned in chats that are still to be rated; not spendable.' })
  pendingNova: number;

  @ApiProperty({ description: 'Paid for chats that are still open.' })
  heldNova: number;
}

/** Who stands on the other side of a movement. An erased member reads "Deleted member". */
export class PartyDto {
  id: string | null;

  @ApiProperty({ example: 'Ada' })
  displayName: string;

  profileImageUrl: string | null;
}

/** One row of a statement (rule wallet-2). */
export class TransactionDto {
  @ApiProperty({ description: '`accrued` for the line of rewards not yet credited.' })
  id: string;

  @ApiProperty({ example: 'gift_send' })
  type: string;

  @ApiProperty({ description: "Nova, signed from the member's side.", example: -1000 })
  amount: number;

  @ApiProperty({
    description:
      'Of a refunded purchase: Nova of it that was spent already and could not be taken. The refund is this less `amount`.',
  })
  shortfall: number;

  @ApiProperty({ description: 'The running balance after this row, in Nova.' })
  balanceAfter: number;

  @ApiProperty({ example: 'Gift to Ada' })
  description: string;

  counterparty: PartyDto | null;

  eventId: string | null;

  @ApiProperty({ description: 'Whether an administrator took the movement back, in whole or in part.' })
  isReversed: boolean;

  @ApiProperty({
    type: 'integer',
    description: 'How many movements of one type and day (UTC) the row adds up; 1 unless the list is grouped.',
  })
  count: number;

  @ApiProperty({ format: 'date-time' })
  createdAt: string;
}

/** `GET /api/nova/transactions/totals`. Nova; `in` and `out` are never negative. */
export class TransactionTotalsDto {
  @ApiProperty({ type: 'integer' })
  count: number;

  in: number;

  out: number;
}

/** `GET /api/nova/transactions`. */
export class TransactionsPageDto {
  @ApiProperty({
    type: [TransactionDto],
    description: 'Newest first; the first page begins with what is owed, if anything is.',
  })
  transactions: TransactionDto[];

  @ApiProperty({ type: String, nullable: true, description: 'Send it back as `cursor` for the next page.' })
  nextCursor: string | null;
}

/** One posting of an event. */
export class EntryDto {
  @ApiProperty({ example: 'user:018f…:earned' })
  account: string;

  @ApiProperty({ example: 'NOVA' })
  currency: string;

  @ApiProperty({ description: 'What the account gains or, negative, gives, in units of the currency.' })
  amount: number;
}

export class ActorDto {
  @ApiProperty({ example: 'member', description: '`member`, `admin`, `app`, `stripe`, `process` or `demo`.' })
  kind: string;

  id: string | null;

  displayName: string | null;
}

export class RelatedEventDto {
  eventId: string;

  @ApiProperty({ example: 'PurchaseReversed' })
  type: string;

  description: string;
}

/** How an administrator took a movement back. */
export class TakenBackDto {
  @ApiProperty({ description: 'The event that did it.' })
  eventId: string;

  @ApiProperty({ description: 'What came back, in Nova.', example: 1_000 })
  returned: number;

  @ApiProperty({ format: 'date-time' })
  at: string;
}

/** An event of the journal as a member sees it: their own accounts, the pools and the treasury. */
export class EventDetailsDto {
  eventId: string;

  @ApiProperty({ type: 'integer', description: 'Its place in the journal, from 0.' })
  revision: number;

  @ApiProperty({ example: 'GiftSent' })
  type: string;

  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  description: string;

  entries: EntryDto[];

  actor: ActorDto;

  @ApiProperty({ type: String, nullable: true, description: 'What led to it outside the journal.' })
  cause: string | null;

  @ApiProperty({ type: String, nullable: true, description: "An admin's reason." })
  reason: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'What an application wrote with it.' })
  note: string | null;

  @ApiProperty({ type: TakenBackDto, nullable: true, description: 'Absent while the movement stands.' })
  reversal: TakenBackDto | null;

  @ApiProperty({ description: 'SHA-256 over the previous hash, the revision, the type and the stored bytes.' })
  hash: string;

  @ApiProperty({ description: 'The hash of the event before.' })
  previousHash: string;

  @ApiProperty({
    type: [RelatedEventDto],
    description: 'Refunds of a payment, reversals and the like, and the other events of the same command.',
  })
  related: RelatedEventDto[];
}
