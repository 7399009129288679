import { Money } from '@app/domain';
import type { MemberBalances, ShownRating } from '@app/projections';
import type { Account } from './entities.js';
import { RATING_SHOWN_BY_DEFAULT } from './limits.js';

export class ProfileCardContentDto {
  url: string;
  /** A media type such as `video/mp4`. */
  type: string;
}

export class CurrentUserDto {
  id: string;
  displayName: string;
  email: string;
  /** Whether the member has shown that mail to this address reaches them. */
  emailVerified: boolean;
  isAdmin: boolean;
  /** The account becomes an admin by the one-time word that its server gives. */
  awaitsAdminWord: boolean;
  profileImageUrl: string | null;
  profileCardThumbnailUrl: string | null;
  profileCardContent: ProfileCardContentDto | null;
  /** Purchased, earned and owed Nova together. */
  novaBalance: number;
  purchasedNova: number;
  earnedNova: number;
  /** Members whom this member follows. */
  followingCount: number;
  /** 0.00 to 9.99. */
  rating: number;
  ratingCount: number;
  createdAt: string;
  /** Admins need a passkey here, and this one has none: their calls answer 403 `PASSKEY_REQUIRED` until they add one. */
  needsPasskey?: true;
}

export class CurrentUserResponse {
  user: CurrentUserDto;
}

const asNova = (minorUnits: bigint): number => Money.ofMinor(minorUnits).toNumber();

/** What stands beside a member's account. */
export interface MemberStanding {
  readonly balance: Pick<MemberBalances, 'nova' | 'purchased' | 'earned'>;
  /** Undefined until somebody has rated them. */
  readonly rating: ShownRating | undefined;
  readonly following: number;
  readonly awaitsAdminWord: boolean;
  /** An admin without the passkey that admins need here. */
  readonly needsPasskey: boolean;
}

export function toCurrentUser(
  account: Account,
  { balance, rating, following, awaitsAdminWord, needsPasskey }: MemberStanding,
): CurrentUserDto {
  const { profileCardContentUrl: url, profileCardContentType: type } = account;
  return {
    id: account.id,
    displayName: account.displayName,
    email: account.email,
    emailVerified: account.emailVerifiedAt !== null,
    isAdmin: account.isAdmin,
    awaitsAdminWord,
    profileImageUrl: account.profileImageUrl,
    profileCardThumbnailUrl: account.profileCardThumbnailUrl,
    profileCardContent: url !== null && type !== null ? { url, type } : null,
    novaBalance: asNova(balance.nova),
    purchasedNova: asNova(balance.purchased),
    earnedNova: asNova(balance.earned),
    followingCount: following,
    rating: rating?.value ?? RATING_SHOWN_BY_DEFAULT,
    ratingCount: rating?.count ?? 0,
    createdAt: account.createdAt.toISOString(),
    ...(needsPasskey && { needsPasskey }),
  };
}
