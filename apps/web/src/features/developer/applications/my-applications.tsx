import { CodeXml, Plus } from 'lucide-react';
import { errorSentence } from '@/shared/api';
import { Button, Card, EmptyState, ErrorNote, Skeleton } from '@/shared/ui';
import { useMyApplications } from '../use-applications';
import { ApplicationCard } from './application-card';

/** The applications that the member has registered (rule oauth-6). */
export function MyApplications({ onCreate }: { onCreate: () => void }) {
  const { data, error, isFetching, refetch } = useMyApplications();
  if (data === undefined && error !== null) {
    return (
      <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
        {errorSentence(error, 'Your applications could not be loaded.')}
      </ErrorNote>
    );
  }
  if (data === undefined) return <SkeletonCards />;
  if (data.length === 0) {
    return (
      <Card>
        <EmptyState
          icon={CodeXml}
          title="No applications yet"
          text="Register an application so that members can sign in to it with Nova, share data with it and pay in it."
          action={
            <Button icon={<Plus aria-hidden="true" className="size-4" />} onClick={onCreate}>
              Create your first application
            </Button>
          }
        />
      </Card>
    );
  }
  return (
    <ul aria-label="My applications" className="grid grid-cols-1 gap-4">
      {data.map((application) => (
        <li key={application.clientId}>
          <ApplicationCard application={application} />
        </li>
      ))}
    </ul>
  );
}

function SkeletonCards() {
  return (
    <ul aria-label="Loading applications" aria-busy="true" className="grid grid-cols-1 gap-4">
      {['first', 'second'].map((place) => (
        <li key={place}>
          <Card>
            <div className="flex items-center gap-4">
              <Skeleton className="size-10 rounded-md" />
              <Skeleton className="h-5 w-40" />
            </div>
            <Skeleton className="mt-4 h-4 w-full max-w-sm" />
            <Skeleton className="mt-2 h-4 w-full max-w-xs" />
          </Card>
        </li>
      ))}
    </ul>
  );
}
