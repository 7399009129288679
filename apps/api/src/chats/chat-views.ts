import { Injectable } from '@nestjs/common';
import { type ChatSide, type ChatState, otherSide } from '@app/domain';
import { toNova } from '../wallet/nova-amount.js';
import { isSuccessful, toMessageView, toProgress } from './chat-messages.js';
import { ChatPartiesDirectory } from './chat-parties.js';
import { ChatReads } from './chat-reads.js';
import type { PresentChat } from './chat-store.js';
import { ChatTexts } from './chat-texts.js';
import type { ChatViewDto, MessageViewDto } from './chats.dto.js';

/** The newest messages that `GET /api/chats/{id}` shows. */
const MESSAGES_SHOWN_MAX = 200;

/** A chat as one of its sides sees it, from its stream, with names and texts from their rows. */
@Injectable()
export class ChatViews {
  constructor(
    private readonly parties: ChatPartiesDirectory,
    private readonly texts: ChatTexts,
    private readonly reads: ChatReads,
  ) {}

  async view(chat: PresentChat, side: ChatSide): Promise<ChatViewDto> {
    const { state, times } = chat;
    const [partyOf, messages, readThrough] = await Promise.all([
      this.parties.find([state.initiatorId, state.hostId]),
      this.messages(state),
      this.reads.of(side === 'host' ? state.hostId : state.initiatorId, [chat.chatId]),
    ]);
    const { exchangeCount, totalCharacters, percentage } = toProgress(state);
    return {
      id: chat.chatId,
      status: state.status,
      side,
      initiatorId: state.initiatorId,
      hostId: state.hostId,
      initiator: partyOf(state.initiatorId),
      host: partyOf(state.hostId),
      price: toNova(state.price),
      exchangeCount,
      totalCharacterCount: totalCharacters,
      validHostCharacterCount: state.counts.hostCharacters,
      isSuccessful: isSuccessful(state),
      percentage,
      ...shownRatings(state, side),
      requestedAt: toIso(state.requestedAt),
      acceptBy: toIso(state.acceptBy),
      acceptedAt: orNull(state.acceptedAt),
      verifyBy: orNull(verifyByOf(state)),
      endedAt: orNull(times.endedAt),
      terminatedBy: state.terminated?.by ?? null,
      terminationCause: state.terminated?.cause ?? null,
      rateBy: orNull(state.rateBy),
      completedAt: orNull(times.completedAt),
      refunded: hasEnded(state) ? toNova(refundedOf(state)) : null,
      readThrough: readThrough.get(chat.chatId)?.toISOString() ?? null,
      messages,
    };
  }

  private async messages({ messageIds }: ChatState): Promise<MessageViewDto[]> {
    const newest = messageIds.last(MESSAGES_SHOWN_MAX);
    const texts = await this.texts.find(newest);
    return newest.flatMap((id) => {
      const text = texts.get(id);
      return text ? [toMessageView(text)] : [];
    });
  }
}

type ShownRatings = Pick<ChatViewDto, 'initiatorRating' | 'hostRating' | 'myRating' | 'theirRating'>;

/** One's own rating at once; the other's once it can no longer influence one's own. */
function shownRatings({ ratings, status }: ChatState, side: ChatSide): ShownRatings {
  const myRating = ratings[side] ?? null;
  const open = myRating !== null || status === 'completed';
  const theirRating = open ? (ratings[otherSide(side)] ?? null) : null;
  const [initiatorRating, hostRating] = side === 'initiator' ? [myRating, theirRating] : [theirRating, myRating];
  return { initiatorRating, hostRating, myRating, theirRating };
}

/** Only while the host's first message is due. */
const verifyByOf = ({ status, hostHasWritten, verifyBy }: ChatState): number | undefined =>
  status === 'active' && !hostHasWritten ? verifyBy : undefined;

const hasEnded = ({ status }: ChatState): boolean => status !== 'requested' && status !== 'active';

/** Minor units of NOVA that an ended chat gave back to its initiator. */
export function refundedOf(state: ChatState): bigint {
  if (state.status === 'declined' || state.status === 'expired') return state.price;
  return state.terminated ? state.price - state.terminated.due : 0n;
}

const toIso = (ms: number): string => new Date(ms).toISOString();

const orNull = (ms: number | undefined): string | null => (ms === undefined ? null : toIso(ms));
