import { ApiProperty } from '@nestjs/swagger';

/** A member as a gift shows them. */
export class GiftPartyDto {
  @ApiProperty({ example: 'Ada' })
  displayName: string;

  profileImageUrl: string | null;

  @ApiProperty({ description: '0.00 to 9.99; 5.0 while nobody has rated.' })
  averageRating: number;
}

/** A gift. Amounts in Nova. */
export class GiftDto {
  @ApiProperty({ description: "The id of the journal's event." })
  id: string;

  senderId: string;

  recipientId: string;

  @ApiProperty({ example: 1000 })
  amount: number;

  @ApiProperty({ example: 500 })
  recipientShare: number;

  @ApiProperty({ example: 500 })
  influenceShare: number;

  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  sender: GiftPartyDto;

  recipient: GiftPartyDto;

  @ApiProperty({ description: 'Whether an administrator took the gift back, in whole or in part.' })
  isReversed: boolean;
}

/** `POST /api/gifts/send`, the answer. */
export class SentGiftDto {
  gift: GiftDto;

  @ApiProperty({ description: "The sender's Nova balance after it." })
  novaBalance: number;

  eventId: string;

  @ApiProperty({ description: 'False when lists and balances do not show it yet.' })
  projected: boolean;
}

/** `POST /api/gifts/preview`, the answer: what `send` would do now. */
export class GiftPreviewDto {
  @ApiProperty({ example: 1000 })
  amount: number;

  @ApiProperty({ example: 500 })
  recipientShare: number;

  @ApiProperty({ example: 500 })
  influenceShare: number;

  @ApiProperty({ enum: ['holders', 'treasury'], description: 'The treasury while nobody holds Influence.' })
  influenceGoesTo: 'holders' | 'treasury';

  @ApiProperty({ example: 300, description: 'Of the share of the holders of Influence, what is the sender’s own.' })
  comesBack: number;

  balanceBefore: number;

  balanceAfter: number;

  recipient: GiftPartyDto;
}

export class GiftSummaryDto {
  @ApiProperty({ type: 'integer' })
  sentCount: number;

  @ApiProperty({ type: 'integer' })
  receivedCount: number;

  @ApiProperty({ description: 'Nova given, whole amounts.' })
  totalSent: number;

  @ApiProperty({ description: "Nova received, the recipient's shares." })
  totalReceived: number;
}

/** `GET /api/gifts/history`. */
export class GiftHistoryDto {
  @ApiProperty({ type: [GiftDto], description: 'Sent and received, newest first.' })
  gifts: GiftDto[];

  summary: GiftSummaryDto;

  @ApiProperty({ type: String, nullable: true, description: 'Send it back as `cursor` for the next page.' })
  nextCursor: string | null;
}
