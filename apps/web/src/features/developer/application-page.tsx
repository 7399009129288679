import { SearchX } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { errorSentence } from '@/shared/api';
import { buttonClasses, Card, EmptyState, ErrorNote, PageHeader, Skeleton } from '@/shared/ui';
import { ApplicationFacts } from './applications/application-facts';
import { useMyApplication } from './use-applications';
import { AppWalletCard } from '../app-money/app-wallet-card';

const PORTAL = '/developer';
const BACK = { backTo: PORTAL, backLabel: 'Back to the Developer Portal' };

/** One of one's own applications: its settings and its wallet. */
export function ApplicationPage() {
  const { clientId = '' } = useParams();
  const { application, error, isFetching, refetch } = useMyApplication(clientId);
  const navigate = useNavigate();
  const [isGone, setGone] = useState(false);
  if (application === undefined) {
    return (
      <>
        <PageHeader title="Application" {...BACK} />
        {error === null ? (
          <Skeleton className="h-64 rounded-lg" />
        ) : (
          <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
            {errorSentence(error, 'The application could not be loaded.')}
          </ErrorNote>
        )}
      </>
    );
  }
  if (application === null) return isGone ? null : <NoSuchApplication />;
  return (
    <>
      <PageHeader title={application.name} {...BACK} />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <AppWalletCard application={application} />
        <ApplicationFacts
          application={application}
          onDeleted={() => {
            setGone(true);
            void navigate(PORTAL, { replace: true });
          }}
        />
      </div>
    </>
  );
}

function NoSuchApplication() {
  return (
    <>
      <PageHeader title="Application" {...BACK} />
      <Card>
        <EmptyState
          icon={SearchX}
          title="Application not found"
          text="It was deleted, or it is not yours."
          action={
            <Link to={PORTAL} className={buttonClasses()}>
              My applications
            </Link>
          }
        />
      </Card>
    </>
  );
}
