import { Card, PageHeader } from '@/shared/ui';
import { ChatHistoryList } from './chat-history-list';
import { PayoutTotals } from './payout-totals';

/** Payout History (rules wallet-8, wallet-25). */
export function PayoutHistoryPage() {
  return (
    <>
      <PageHeader title="Payout History" backTo="/wallet" backLabel="Back to the wallet" />
      <PayoutTotals />
      <Card flush>
        <ChatHistoryList />
      </Card>
    </>
  );
}
