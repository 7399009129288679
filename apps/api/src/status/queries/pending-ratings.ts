import { Injectable } from '@nestjs/common';
import { CHATS_PER_HOST_INFLUENCE } from '@app/domain';
import { ChatPartiesDirectory } from '../../chats/chat-parties.js';
import { ChatReadModels } from '../../chats/chat-read-models.js';
import type { ChatPartyDto } from '../../chats/chats.dto.js';

/** A successful chat that waits for a member's rating. Amounts in minor units. */
export interface PendingRating {
  readonly chatId: string;
  readonly otherUser: ChatPartyDto;
  readonly price: bigint;
  /** The amount that the rating releases. */
  readonly nova: bigint;
  /** 1 for an initiator; a host gets one on every fifth chat. */
  readonly influence: number;
  readonly rateBy: Date;
}

/** The chats that wait for a member's ratings: for the list, and for the rewards on the dashboard. */
@Injectable()
export class PendingRatings {
  constructor(
    private readonly readModels: ChatReadModels,
    private readonly parties: ChatPartiesDirectory,
  ) {}

  /** The oldest first. */
  async of(memberId: string): Promise<PendingRating[]> {
    const { chats } = this.readModels;
    const [rows, released] = await Promise.all([chats.pendingRatings(memberId), chats.hostReleases(memberId)]);
    let releases = released;
    /** Counts as if the chats were rated in this order. */
    const influenceAsHost = (): number => ((releases += 1) % CHATS_PER_HOST_INFLUENCE === 0 ? 1 : 0);
    const partyOf = await this.parties.find(rows.map(({ otherId }) => otherId));
    return rows.map(({ chatId, otherId, price, isInitiator, hostPending, rateBy }) => ({
      chatId,
      otherUser: partyOf(otherId),
      price,
      nova: isInitiator ? 0n : hostPending,
      influence: isInitiator ? 1 : influenceAsHost(),
      rateBy,
    }));
  }
}
