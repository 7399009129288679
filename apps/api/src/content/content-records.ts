import { Injectable } from '@nestjs/common';
import {
  type CardContentChosen,
  type CardState,
  cardStream,
  type ContentItem,
  type ContentItemCommand,
  type ContentItemEvent,
  contentStream,
  decideCard,
  decideContentItem,
  decodeContentEvent,
  encodeContentEvent,
  evolveCard,
  evolveContentItem,
  newCard,
} from '@app/domain';
import { AppError } from '../platform/errors/app-error.js';
import { DecidedStreams } from '../platform/journal/decided-streams.js';
import type { By } from '../platform/journal/stream-metadata.js';

/** The content that a card shows next; null: the picture. */
export type NextContent = (shown: string | null) => string | null;

/** The streams `content-{id}` and `card-{memberId}`. */
@Injectable()
export class ContentRecords {
  constructor(private readonly streams: DecidedStreams) {}

  /** Publishes or removes; returns once posts show it. @throws AppError 503 */
  async execute(contentId: string, command: ContentItemCommand, by: By): Promise<void> {
    const stream = contentStream(contentId);
    await this.streams.execute(
      {
        stream,
        initial: undefined as ContentItem | undefined,
        evolve: evolveContentItem,
        decode: (type, data) => decodeContentEvent(type, data) as ContentItemEvent,
        encode: encodeContentEvent,
      },
      (state, nowMs) => ({ events: decideContentItem(state, command, nowMs) }),
      by,
    );
    await this.streams.caughtUp(['posts'], stream);
  }

  /**
   * What a member's card shows from now on; posts learn it within moments (`cardKnown`).
   * @throws AppError 409 chosen too often, 503
   */
  async choose(memberId: string, next: NextContent, by: By): Promise<CardState> {
    const outcome = await this.streams.execute(
      {
        stream: cardStream(memberId),
        initial: newCard,
        evolve: evolveCard,
        decode: (type, data) => decodeContentEvent(type, data) as CardContentChosen,
        encode: encodeContentEvent,
      },
      (state, nowMs) => {
        const decision = decideCard(state, { memberId, contentId: next(state.contentId) }, nowMs);
        return 'events' in decision ? { ...decision, card: decision.events.reduce(evolveCard, state) } : decision;
      },
      by,
    );
    if ('card' in outcome) return outcome.card;
    throw new AppError(409, outcome.rejection.code, outcome.rejection.message);
  }

  /** Returns once posts know what a member's card shows. */
  async cardKnown(memberId: string): Promise<void> {
    await this.streams.caughtUp(['posts'], cardStream(memberId));
  }
}
