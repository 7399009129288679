import { Sparkles } from 'lucide-react';
import { Dialog, EmptyState } from '@/shared/ui';

/** Influence Inventory (`decisions.md`, Discovery). Influence is earned in chats; until the first one there is none to list. */
export function InfluenceInventoryDialog({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Influence Inventory">
      <EmptyState
        icon={Sparkles}
        title="No Influence yet"
        text="You earn Influence points when your chats succeed. Your points, your share of the pool and your rewards so far will be listed here."
        className="pt-2 pb-6"
      />
    </Dialog>
  );
}
