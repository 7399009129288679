import { ApiProperty } from '@nestjs/swagger';
import { EventDetailsDto, TransactionDto } from '../wallet/wallet.dto.js';

/** `GET /api/admin/stats` (rule admin-4). */
export class AdminStatsDto {
  @ApiProperty({ type: 'integer' })
  totalUsers: number;

  @ApiProperty({ type: 'integer' })
  totalChats: number;

  @ApiProperty({ description: 'All Nova of members, applications, escrow and pools.' })
  novaInCirculation: number;

  @ApiProperty({ type: 'integer' })
  activeQuests: number;

  @ApiProperty({ example: '1.0.0+3f2a91c4', description: 'The release of the server that answers.' })
  version: string;
}

/** A member as admins see them (rule admin-6). */
export class AdminUserDto {
  id: string;

  displayName: string;

  email: string;

  profileImageUrl: string | null;

  isAdmin: boolean;

  @ApiProperty({ description: 'Purchased + earned + owed.' })
  novaBalance: number;

  purchasedNova: number;

  earnedNova: number;

  @ApiProperty({ description: 'Rewards not yet credited.' })
  owedNova: number;

  @ApiProperty({ description: '0.00 to 9.99.' })
  rating: number;

  @ApiProperty({ type: 'integer' })
  ratingCount: number;

  @ApiProperty({ type: 'integer', description: 'Files that count towards the quota.' })
  fileCount: number;

  @ApiProperty({ type: 'integer', description: 'Bytes of those files.' })
  fileBytes: number;

  @ApiProperty({ format: 'date-time' })
  createdAt: string;
}

export class PaginationDto {
  @ApiProperty({ type: 'integer', minimum: 1 })
  page: number;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 100 })
  limit: number;

  @ApiProperty({ type: 'integer' })
  total: number;

  @ApiProperty({ type: 'integer' })
  totalPages: number;
}

/** `GET /api/admin/users`. */
export class AdminUsersDto {
  users: AdminUserDto[];

  pagination: PaginationDto;
}

/** A statement's row with whose it is. */
export class AdminTransactionDto extends TransactionDto {
  userId: string;

  userName: string;

  userEmail: string;
}

/** `GET /api/admin/transactions`. */
export class AdminTransactionsDto {
  transactions: AdminTransactionDto[];

  pagination: PaginationDto;
}

/** `POST /api/admin/users/{id}/add-nova` and `…/deduct-nova`, the answer. */
export class AdjustedNovaDto {
  user: AdminUserDto;

  eventId: string;

  @ApiProperty({ example: 'Added 500 Nova to Ada.' })
  message: string;

  @ApiProperty({ description: 'False when lists and balances do not show it yet.' })
  projected: boolean;
}

const SIGNATURE_STATUSES = ['unsigned', 'before', 'signed', 'wrong'] as const;

/** Who signed an event, checked when it was asked for. */
export class EventSignatureDto {
  @ApiProperty({
    enum: SIGNATURE_STATUSES,
    enumName: 'EventSignatureStatus',
    description:
      '`unsigned`: the journal is not signed. `before`: the event is older than the first signature. `signed`: by a key ' +
      'that this installation trusts; links, range and signature were checked just now. `wrong`: by no such key.',
  })
  status: (typeof SIGNATURE_STATUSES)[number];

  @ApiProperty({ type: String, nullable: true, description: 'Which key signed it.', example: 'db0c6fa03e5f46d4' })
  keyId: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'The first revision that the signature covers.' })
  firstRevision: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'The last revision that the signature covers.' })
  lastRevision: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'The Ed25519 signature, in base64url.' })
  signature: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'The first revision of this journal that is signed.' })
  signedFrom: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What is wrong, in a sentence.',
    example: 'Revision 343 is signed by nobody.',
  })
  problem: string | null;
}

/** `GET /api/admin/events/{id}`: every entry, who signed it, and the event as it is stored. */
export class AdminEventDetailsDto extends EventDetailsDto {
  signature: EventSignatureDto;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The event as stored.' })
  data: unknown;
}

/** `POST /api/admin/users/{id}/change-rating`, the answer. */
export class ChangedRatingDto {
  user: AdminUserDto;

  @ApiProperty({ example: 'The rating of Ada is 8.25 now.' })
  message: string;
}
