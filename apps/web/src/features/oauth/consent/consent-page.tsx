import { SearchX, TriangleAlert, type LucideIcon } from 'lucide-react';
import { Link, useSearchParams } from 'react-router-dom';
import { buttonClasses, Card, EmptyState, Spinner, useDocumentTitle } from '@/shared/ui';
import { ConsentForm } from './consent-form';
import { readConsentRequest } from './consent-request';
import { SignInAgain } from './sign-in-again';
import { useClientInfo } from './use-consent';

/** Where a member lets an application act for them, or does not. */
export function ConsentPage() {
  useDocumentTitle('Authorize Application');
  const [parameters] = useSearchParams();
  const request = readConsentRequest(parameters);
  const client = useClientInfo(request?.clientId);
  if (request === null) {
    return (
      <Refusal
        icon={TriangleAlert}
        title="Invalid Request"
        text="Missing required OAuth parameters. Please try again from the application."
      />
    );
  }
  if (client.isError) {
    return (
      <Refusal
        icon={SearchX}
        title="Application Not Found"
        text="The application requesting access could not be verified. This may be a security risk."
      />
    );
  }
  if (client.data === undefined) return <Spinner className="size-8 text-ink-muted" label="Loading…" />;
  if (request.signInAgain) return <SignInAgain name={client.data.name} />;
  // Another request is another question: nothing that was ticked for the last one stays (rule oauth-10).
  return <ConsentForm key={`${request.clientId} ${request.scope}`} request={request} client={client.data} />;
}

function Refusal({ icon, title, text }: { icon: LucideIcon; title: string; text: string }) {
  return (
    <Card className="w-full max-w-md">
      <EmptyState
        level="h1"
        icon={icon}
        title={title}
        text={text}
        action={
          <Link to="/feed" className={buttonClasses({ variant: 'primary' })}>
            Return to Feed
          </Link>
        }
      />
    </Card>
  );
}
