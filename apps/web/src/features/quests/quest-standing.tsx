import { Check } from 'lucide-react';
import { useRef } from 'react';
import { Badge, Button, errorToast, formatDateTime, toast } from '@/shared/ui';
import type { QuestEntry } from './quest-entries';
import { useClaimReward } from './use-quests';

/** Where I stand with a quest: In Progress, Claim, Claimed (rule quests-10). */
export function QuestStanding({ entry }: { entry: QuestEntry }) {
  const { quest, state, progress } = entry;
  switch (state) {
    case 'claimable':
      return (
        <div className="flex items-center gap-3">
          {!quest.isActive && progress && (
            <p className="text-xs text-ink-faint">until {formatDateTime(progress.claimableUntil)}</p>
          )}
          <ClaimButton questId={quest.id} title={quest.title} />
        </div>
      );
    case 'claimed':
      return (
        <Badge tone="gain">
          <Check aria-hidden="true" className="size-3.5" />
          Claimed
        </Badge>
      );
    case 'in progress':
      return <Badge>In Progress</Badge>;
    case 'missed':
      return <Badge>Expired</Badge>;
  }
}

function ClaimButton({ questId, title }: { questId: string; title: string }) {
  const claim = useClaimReward(questId);
  // Of two presses in a moment the second comes before the first is seen to be pending.
  const isSent = useRef(false);

  // Awaited, as this button is gone when the answer is there: callbacks of `mutate` would be gone with it.
  const send = async (card: HTMLElement | null) => {
    if (isSent.current) return;
    isSent.current = true;
    try {
      const { message } = await claim.mutateAsync();
      toast({ title: 'Reward Claimed!', description: message });
      // Whoever is at the keyboard stays at the quest.
      card?.focus();
    } catch (error) {
      isSent.current = false;
      errorToast('Failed to claim reward', error);
    }
  };
  return (
    <Button
      variant="primary"
      pending={claim.isPending}
      aria-label={`Claim the reward of ${title}`}
      onClick={({ currentTarget }) => void send(currentTarget.closest('li'))}
    >
      Claim
    </Button>
  );
}
