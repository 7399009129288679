import { Share2 } from 'lucide-react';
import { Link } from 'react-router-dom';
import { buttonClasses, EmptyState } from '@/shared/ui';

/** Says what belongs here, and how to get it. */
export function NoThreads() {
  return (
    <EmptyState
      icon={Share2}
      title="No threads yet"
      text="When you and someone you chatted with rate each other 75 or higher, a thread between you appears here."
      action={
        <Link to="/discovery" className={buttonClasses()}>
          Find someone to talk to
        </Link>
      }
    />
  );
}
