import { Newspaper } from 'lucide-react';
import { Card, EmptyState } from '@/shared/ui';

/** Posts of members (S0 §2 Feed). */
export function FeedView() {
  return (
    <Card>
      <EmptyState
        icon={Newspaper}
        title="No posts yet"
        text="Posts of members appear here, newest and most engaging first."
      />
    </Card>
  );
}
