import { Injectable } from '@nestjs/common';
import { GIFT_MESSAGES } from '@app/domain';
import type { Rejection } from '@app/domain';
import type { CommandOutcome } from '@app/ledger';
import { type DirectoryMember, MemberDirectory } from '../identity/member-directory.js';
import { MemberRelations } from '../members/member-relations.js';
import { AppError } from '../platform/errors/app-error.js';
import { type Accepted, expectAccepted, rejectionError } from '../platform/errors/rejections.js';
import type { GiftPartyDto } from './gifts.dto.js';

const recipientNotFound = (): AppError =>
  new AppError(404, 'RECIPIENT_NOT_FOUND', 'The member you want to send a gift to was not found.');

/** Who may get a gift, and how the ledger's refusals of one read. */
@Injectable()
export class GiftRecipients {
  constructor(
    private readonly directory: MemberDirectory,
    private readonly relations: MemberRelations,
  ) {}

  /**
   * The member, with the id as accounts are named by it. A closed account is for the ledger to refuse: it alone can tell a
   * new gift from the repeat of one that was taken before.
   * @throws AppError 404 `RECIPIENT_NOT_FOUND`, also of whoever has blocked the sender, 409 `BLOCKED_BY_YOU`
   */
  async find(recipientId: string, senderId: string): Promise<DirectoryMember> {
    const member = await this.directory.get(recipientId);
    if (!member) throw recipientNotFound();
    if (!member.closed)
      await this.relations.refuseBlocked({ memberId: senderId, otherId: member.id }, recipientNotFound);
    return member;
  }

  /** @throws AppError never for a member who signed in */
  async sender(id: string): Promise<DirectoryMember> {
    const member = await this.directory.get(id);
    if (!member) throw new AppError(404, 'NOT_FOUND', 'This member was not found.');
    return member;
  }
}

/** @throws AppError the refusal in the words of rule gifts-3 */
export function expectGift(outcome: CommandOutcome): Accepted {
  if (outcome.status === 'refused') throw giftRefusal(outcome.rejection);
  return expectAccepted(outcome);
}

function giftRefusal(rejection: Rejection): AppError {
  if (rejection.code === 'RECIPIENT_CLOSED') return recipientNotFound();
  if (rejection.code === 'INSUFFICIENT_NOVA')
    return rejectionError({ ...rejection, message: GIFT_MESSAGES.insufficient });
  return rejectionError(rejection);
}

export const toGiftParty = ({ displayName, profileImageUrl, rating }: DirectoryMember): GiftPartyDto => ({
  displayName,
  profileImageUrl,
  averageRating: rating,
});
