import { Share2 } from 'lucide-react';
import { Card, EmptyState, PageHeader } from '@/shared/ui';

export function NexusTab() {
  return (
    <>
      <PageHeader title="Nexus" />
      <Card>
        <EmptyState
          icon={Share2}
          title="No threads yet"
          text="When you and someone you chatted with rate each other highly, a thread between you appears here."
        />
      </Card>
    </>
  );
}
