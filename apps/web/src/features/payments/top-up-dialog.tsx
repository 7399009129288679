import { Dialog, Tabs, TabsContent, TabsList, TabsTrigger } from '@/shared/ui';
import { TopUpFlow } from './top-up-flow';

export interface TopUpDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Sells Nova (rule wallet-11). Opening the dialog again starts a new purchase. */
export function TopUpDialog({ open, onOpenChange }: TopUpDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Top Up Nova" description="1,250 Nova cost $1.00.">
      <Tabs defaultValue="card">
        <TabsList>
          <TabsTrigger value="card">Card Payment</TabsTrigger>
          <TabsTrigger
            value="crypto"
            disabled
            className="max-sm:flex-col max-sm:items-start max-sm:justify-center max-sm:gap-0"
          >
            Crypto (USDC)
            <span className="text-xs font-normal">Coming in Phase 2</span>
          </TabsTrigger>
        </TabsList>
        <TabsContent value="card">
          <TopUpFlow onDone={() => onOpenChange(false)} />
        </TabsContent>
      </Tabs>
    </Dialog>
  );
}
