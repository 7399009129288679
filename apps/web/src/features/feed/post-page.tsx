import { Newspaper } from 'lucide-react';
import { Link } from 'react-router-dom';
import { AreaPage } from '@/features/areas/area-page';
import { buttonClasses } from '@/shared/ui';

/** One post by its link (S0 §2: share). */
export function PostPage() {
  return (
    <AreaPage
      title="Post"
      backTo="/feed"
      icon={Newspaper}
      emptyTitle="Post not found"
      emptyText="This post may have been deleted."
      action={
        <Link to="/feed" className={buttonClasses({ variant: 'primary' })}>
          Back to Feed
        </Link>
      }
    />
  );
}
