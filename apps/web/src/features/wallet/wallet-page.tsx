import { useQuery } from '@tanstack/react-query';
import { History, Plus } from 'lucide-react';
import { Link } from 'react-router-dom';
import { ChatHistoryList } from '@/features/chats/payouts/chat-history-list';
import { queryKeys, type Answer } from '@/shared/api';
import { useOpenFromAddress } from '@/shared/hooks/use-open-from-address';
import { Button, buttonClasses, Card, PageHeader, Tabs, TabsContent, TabsList, TabsTrigger } from '@/shared/ui';
import { Balances } from './balances';
import { ApplicationsTab } from '../app-money/applications-tab';
import { Statement } from './statement';
import { TopUpDialog } from '../payments/top-up-dialog';

/** The Nova Wallet (rule wallet-6). `?topup=1` opens the Top Up dialog. */
export function WalletPage() {
  const balance = useQuery<Answer<'/api/nova/balance'>>({ queryKey: queryKeys.balance, refetchOnMount: 'always' });
  const [isTopUpOpen, setTopUpOpen] = useOpenFromAddress('topup');

  return (
    <>
      <PageHeader
        title="Nova Wallet"
        backTo="/"
        backLabel="Back to discovery"
        actions={
          <>
            <Link to="/payout-history" className={buttonClasses()}>
              <History aria-hidden="true" className="size-4" />
              Payout History
            </Link>
            <Button
              variant="primary"
              icon={<Plus aria-hidden="true" className="size-4" />}
              onClick={() => setTopUpOpen(true)}
            >
              Top Up
            </Button>
          </>
        }
      />
      <Balances query={balance} />
      <Card className="mt-6" flush>
        <Tabs defaultValue="transactions">
          <TabsList className="px-2 pt-2 sm:px-4">
            <TabsTrigger value="transactions">Transactions</TabsTrigger>
            <TabsTrigger value="chats">Chat History</TabsTrigger>
            <TabsTrigger value="applications">Applications</TabsTrigger>
          </TabsList>
          <TabsContent value="transactions">
            <Statement onTopUp={() => setTopUpOpen(true)} />
          </TabsContent>
          <TabsContent value="chats" className="relative max-h-[600px] overflow-y-auto">
            <ChatHistoryList />
          </TabsContent>
          <TabsContent value="applications">
            <ApplicationsTab />
          </TabsContent>
        </Tabs>
      </Card>
      <TopUpDialog open={isTopUpOpen} onOpenChange={setTopUpOpen} />
    </>
  );
}
