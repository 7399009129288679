import { createContext, use } from 'react';
import type { CardFace } from './card-faces';
import type { ProfileCard } from './card-types';
import type { Upvoted } from './use-card-actions';
import type { VideoStage } from './video-stage';

/** What each card of the grid may do beyond itself. It stays the same object as long as the grid exists. */
export interface CardDeck {
  stage: VideoStage;
  turn: (profileId: string, face: CardFace) => void;
  upvoted: (profileId: string, answer: Upvoted & { wasUnlocked: boolean }) => void;
  askForChat: (profile: ProfileCard) => void;
  openChat: (chatId: string, name: string) => void;
}

const CardDeckContext = createContext<CardDeck | null>(null);

export const CardDeckProvider = CardDeckContext;

export function useCardDeck(): CardDeck {
  const deck = use(CardDeckContext);
  if (deck === null) throw new Error('A card belongs into a grid.');
  return deck;
}
