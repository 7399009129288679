import { ExternalLink } from 'lucide-react';
import { Link } from 'react-router-dom';
import { buttonClasses, Dialog } from '@/shared/ui';
import { eventPath } from '../admin-sections';
import { AdminEvent } from './admin-event';

/** An event in a dialog, over the table in which it was found. */
export function EventDialog({ eventId, onClose }: { eventId: string | null; onClose: () => void }) {
  return (
    <Dialog
      open={eventId !== null}
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      title="Ledger event"
      footer={
        eventId !== null && (
          <Link to={eventPath(eventId)} className={buttonClasses()}>
            <ExternalLink aria-hidden="true" className="size-4" />
            Open as a page
          </Link>
        )
      }
    >
      {eventId !== null && <AdminEvent eventId={eventId} />}
    </Dialog>
  );
}
