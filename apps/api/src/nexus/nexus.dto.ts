import { ApiProperty } from '@nestjs/swagger';

/** The other side of a thread. The id stays when the account is erased: it is part of what the block's hash is made from. */
export class ConnectedUserDto {
  id: string;
  displayName: string;
  profileImageUrl: string | null;
}

/**
 * One block of a member's chain (rule nexus-1), with all that its hash is made from (`ownerId`, `blockNumber`,
 * `previousHash`, `connectedUser.id`, `connectionType`, `chatId`, `givenRating`, `receivedRating`, `at`). What the two wrote, how
 * they rated and which chat it was is for the two alone, what it earned for the owner alone: null for everybody else.
 */
export class PersonalThreadDto {
  /** The block's hash. */
  id: string;
  ownerId: string;
  /** From 1, without gaps. */
  blockNumber: number;
  connectedUser: ConnectedUserDto;
  /** @example blue */
  connectedUserMood: string;
  /** What the owner was given, 75 to 100. */
  connectedUserRating: number | null;
  connectedUserComment: string | null;
  @ApiProperty({ enum: ['karma', 'influence'] })
  connectionType: 'karma' | 'influence';
  @ApiProperty({ enum: ['initiator', 'host'] })
  ownerRole: 'initiator' | 'host';
  /** What the owner gave, 75 to 100. */
  ownerRating: number | null;
  ownerComment: string | null;
  /** Nova that the connected member's thread pool has paid the owner ever, for all threads of the two. */
  personalNovaReceived: number | null;
  /** Nova that it owes beside that; part of the Nova balance already. */
  personalNovaOwed: number | null;
  chatId: string | null;
  givenRating: number | null;
  receivedRating: number | null;
  /** 64 hex digits; zeros in front of the first block. */
  previousHash: string;
  hash: string;
  /** Milliseconds since 1970. */
  at: number;
  createdAt: string;
}

/** A member's whole chain in figures. */
export class ThreadStatsDto {
  blocks: number;
  karmaThreads: number;
  influenceThreads: number;
  firstAt: string | null;
  lastAt: string | null;
  /** Of the newest block; null without one. */
  headHash: string | null;
  /** Nova that thread pools have paid ever; null for everybody but the owner. */
  totalNovaReceived: number | null;
  /** Nova that they owe beside that; null for everybody but the owner. */
  totalNovaOwed: number | null;
  /** 75 to 100, two decimals; null for everybody but the owner. */
  averageGiven: number | null;
  averageReceived: number | null;
}
