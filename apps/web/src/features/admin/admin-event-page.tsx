import { useParams } from 'react-router-dom';
import { Card, PageHeader } from '@/shared/ui';
import { sectionPath } from './admin-sections';
import { AdminEvent } from './transactions/admin-event';

/** `/admin/events/:eventId`: an event at its own address, to bookmark and share. */
export function AdminEventPage() {
  const { eventId = '' } = useParams();
  return (
    <>
      <PageHeader title="Ledger event" backTo={sectionPath('transactions')} backLabel="Back to the Admin Panel" />
      <Card className="max-w-3xl">
        <AdminEvent key={eventId} eventId={eventId} />
      </Card>
    </>
  );
}
