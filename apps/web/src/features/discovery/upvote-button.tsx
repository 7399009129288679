import { Triangle } from 'lucide-react';
import { sayAmount } from '@/shared/api';
import { NovaMark, Spinner } from '@/shared/ui';
import { useCardDeck } from './card-deck';
import { UPVOTE_NOVA } from './card-prices';
import type { ProfileCard } from './card-types';
import { useUpvote } from './use-card-actions';

export interface UpvoteButtonProps {
  profile: ProfileCard;
  isUnlocked: boolean;
}

/** The triangle: unlocks a card for 50 Nova, and gives 50 more each time after (rule discovery-12). */
export function UpvoteButton({ profile, isUnlocked }: UpvoteButtonProps) {
  const deck = useCardDeck();
  const upvote = useUpvote(profile.id, (answer) => deck.upvoted(profile.id, { ...answer, wasUnlocked: isUnlocked }));
  const price = sayAmount(UPVOTE_NOVA);
  return (
    <button
      type="button"
      // The browser's own hint: there is one on every card of a grid that has to scroll at 60 frames a second.
      title={isUnlocked ? `Gift ${price}` : `Unlock this profile for ${price}`}
      aria-label={
        isUnlocked ? `Upvote ${profile.displayName} with ${price}` : `Unlock ${profile.displayName} for ${price}`
      }
      aria-busy={upvote.isPending || undefined}
      aria-disabled={upvote.isPending || undefined}
      onClick={() => !upvote.isPending && upvote.mutate()}
      className="pointer-events-auto z-1 grid size-12 shrink-0 place-content-center justify-items-center gap-0.5 rounded-md border border-nova/50 bg-sky-950/80 text-nova transition-colors hover:bg-nova hover:text-on-nova"
    >
      {upvote.isPending ? (
        <Spinner className="size-5" />
      ) : (
        <Triangle className={isUnlocked ? 'size-4 fill-current' : 'size-4'} />
      )}
      <span aria-hidden="true" className="flex items-center gap-0.5 text-xs leading-none font-semibold tabular-nums">
        <NovaMark className="size-2 text-current!" />
        {UPVOTE_NOVA}
      </span>
    </button>
  );
}
