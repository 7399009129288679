import type { CardContentChosen } from './events.js';

/** What a member's card shows, as the events of `card-{id}` tell it. */
export interface CardState {
  readonly contentId: string | null;
}

export const newCard: CardState = { contentId: null };

/** Choosing what is shown already changes nothing. */
export function decideCard(
  state: CardState,
  { memberId, contentId }: Pick<CardContentChosen, 'memberId' | 'contentId'>,
  nowMs: number,
): readonly CardContentChosen[] {
  return state.contentId === contentId ? [] : [{ type: 'CardContentChosen', memberId, contentId, at: nowMs }];
}

export const evolveCard = (_: CardState, { contentId }: CardContentChosen): CardState => ({ contentId });
