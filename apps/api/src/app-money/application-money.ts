import type { Ledger } from '@app/ledger';
import type { ApplicationQueries, AppStandingRow } from '@app/projections';
import type { DirectoryMember } from '../identity/member-directory.js';

/**
 * The Nova of an application, in one of its two modes: the live one with members, or the test mode with made-up members and
 * a ledger of its own. What calls do is the same in both.
 */
export interface ApplicationMoney {
  /** Every answer says it. */
  readonly livemode: boolean;
  readonly ledger: Pick<Ledger, 'execute'>;
  readonly movements: Pick<ApplicationQueries, 'wallet' | 'ofMember' | 'ofWallet'>;
  /** Whose Nova fills the application's wallet, for the developer with this id. */
  developer(ownerId: string): string;
  /** Waits until what is read includes this revision. */
  caughtUp(revision: number): Promise<{ readonly projected: boolean }>;
  /** Spendable Nova of a member, in minor units. */
  novaBalance(userId: string): Promise<bigint>;
  /** What a member spent and transferred through the application since midnight UTC, in minor units. */
  spentToday(userId: string): Promise<bigint>;
  /** Undefined where the ledger does not know the member. */
  standing(userId: string): Promise<AppStandingRow | undefined>;
  /** 0.00 to 9.99. */
  rating(userId: string): Promise<number>;
  members(ids: readonly string[]): Promise<ReadonlyMap<string, DirectoryMember>>;
  /** Who may get a gift of this member. @throws AppError 404 `RECIPIENT_NOT_FOUND`, 409 `BLOCKED_BY_YOU` */
  recipient(recipientId: string, senderId: string): Promise<Pick<DirectoryMember, 'id' | 'displayName'>>;
  /** Those of these members who let the application move their Nova now. */
  spendersOf(memberIds: readonly string[]): Promise<ReadonlySet<string>>;
}
