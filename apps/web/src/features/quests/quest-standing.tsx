import { Check } from 'lucide-react';
import { errorSentence } from '@/shared/api';
import { Badge, Button, formatDateTime, toast } from '@/shared/ui';
import type { QuestEntry } from './quest-entries';
import { useClaimReward } from './use-quests';

/** Where I stand with a quest: In Progress, Claim, Claimed (S1 §2.5). */
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
  return (
    <Button
      variant="primary"
      pending={claim.isPending}
      aria-label={`Claim the reward of ${title}`}
      onClick={({ currentTarget }) => {
        // The button goes with the reward: whoever is at the keyboard stays at the quest.
        const card = currentTarget.closest('li');
        claim.mutate(undefined, {
          onSuccess({ message }) {
            card?.focus();
            toast({ title: 'Reward Claimed!', description: message });
          },
          onError: (error) =>
            toast({
              title: 'Failed to claim reward',
              description: errorSentence(error, 'Please try again.'),
              variant: 'destructive',
            }),
        });
      }}
    >
      Claim
    </Button>
  );
}
