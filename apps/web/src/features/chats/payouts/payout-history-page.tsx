import { Card, PageHeader } from '@/shared/ui';
import { ChatHistoryList } from './chat-history-list';

/** Payout History (rule wallet-8). */
export function PayoutHistoryPage() {
  return (
    <>
      <PageHeader title="Payout History" backTo="/wallet" backLabel="Back to the wallet" />
      <Card flush>
        <ChatHistoryList />
      </Card>
    </>
  );
}
