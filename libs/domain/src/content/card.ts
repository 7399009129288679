import type { CardContentChosen } from './events.js';

/** What a member's card shows, from the events of `card-{id}`. */
export interface CardState {
  readonly contentId: string | null;
  /** The number of events: the later of two states has more (limit: `CARD_CHANGES_MAX`). */
  readonly changes: number;
}

export const newCard: CardState = { contentId: null, changes: 0 };

/** Bounds the stream, which is read completely before every change. The picture can always be shown again. */
export const CARD_CHANGES_MAX = 5_000;

export type CardDecision =
  | { readonly events: readonly CardContentChosen[] }
  | { readonly rejection: { readonly code: 'TOO_MANY'; readonly message: string } };

/** Choosing what is shown already changes nothing. */
export function decideCard(
  state: CardState,
  { memberId, contentId }: Pick<CardContentChosen, 'memberId' | 'contentId'>,
  nowMs: number,
): CardDecision {
  if (state.contentId === contentId) return { events: [] };
  if (contentId === null || state.changes < CARD_CHANGES_MAX) {
    return { events: [{ type: 'CardContentChosen', memberId, contentId, at: nowMs }] };
  }
  return { rejection: { code: 'TOO_MANY', message: 'You have changed your card too often.' } };
}

export const evolveCard = ({ changes }: CardState, { contentId }: CardContentChosen): CardState => ({
  contentId,
  changes: changes + 1,
});
