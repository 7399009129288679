import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useCurrentUser } from '@/shared/api';
import { buttonClasses, Card } from '@/shared/ui';
import { NoThreads } from './no-threads';
import { ThreadDialog } from './thread-dialog';
import { ThreadList } from './thread-list';
import type { PersonalThread } from './thread-types';
import { useThreads } from './use-threads';

/** The Nexus tab of the member's own profile: Thread Connections (rule profiles-8). */
export function ThreadConnections() {
  const { data: user } = useCurrentUser();
  return user ? <OwnThreads ownerId={user.id} /> : null;
}

function OwnThreads({ ownerId }: { ownerId: string }) {
  const query = useThreads(ownerId);
  const [open, setOpen] = useState<PersonalThread | null>(null);
  return (
    <Card
      title="Thread Connections"
      flush
      actions={
        <Link to="/?tab=nexus" className={buttonClasses({ size: 'sm' })}>
          Open the Nexus
        </Link>
      }
    >
      <ThreadList query={query} onThread={setOpen} empty={<NoThreads />} />
      <ThreadDialog thread={open} onClose={() => setOpen(null)} />
    </Card>
  );
}
