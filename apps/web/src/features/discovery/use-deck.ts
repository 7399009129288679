import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { CardDeck } from './card-deck';
import type { CardFace } from './card-faces';
import type { ProfileCard } from './card-types';
import { reloadCards } from './use-discovery';
import { VideoStage } from './video-stage';

/** A card that has risen is marked for so long (rule discovery-16). */
const HIGHLIGHT_MS = 2_000;

export interface DeckOptions {
  onAsk: (profile: ProfileCard) => void;
  onOpenChat: (chat: { id: string; name: string }) => void;
  onUnlocked: (profileId: string) => void;
}

/** Which cards are turned, and what happens beyond a card when one is upvoted. */
export function useDeck({ onAsk, onOpenChat, onUnlocked }: DeckOptions) {
  const client = useQueryClient();
  const [stage] = useState(() => new VideoStage());
  const [faces, setFaces] = useState<ReadonlyMap<string, CardFace>>(new Map());
  const [highlightedId, setHighlighted] = useState<string | null>(null);
  useEffect(() => {
    if (highlightedId === null) return undefined;
    const timer = setTimeout(() => setHighlighted(null), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [highlightedId]);
  const turn = useCallback(
    (profileId: string, face: CardFace) => setFaces((before) => turned(before, profileId, face)),
    [],
  );
  const deck = useMemo<CardDeck>(
    () => ({
      stage,
      turn,
      upvoted(profileId, { kind, wasUnlocked, positionChanged }) {
        onUnlocked(profileId);
        // Also where another browser had unlocked it before, or the first answer was lost and the card is known as unlocked
        // by now: it was pressed to be opened.
        if (kind === 'unlock' || !wasUnlocked) turn(profileId, 'details');
        if (!positionChanged) return;
        setHighlighted(profileId);
        void reloadCards(client);
      },
      askForChat: onAsk,
      openChat: (id, name) => onOpenChat({ id, name }),
    }),
    [stage, turn, client, onAsk, onOpenChat, onUnlocked],
  );
  return { deck, faces, highlightedId };
}

/** The card turned last comes last; those with their front up are not listed. */
function turned(faces: ReadonlyMap<string, CardFace>, id: string, face: CardFace): ReadonlyMap<string, CardFace> {
  const next = new Map(faces);
  next.delete(id);
  if (face !== 'front') next.set(id, face);
  return next;
}
