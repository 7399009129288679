import { KeyRound } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { useSignOut } from '@/shared/api';
import { Button, Card, EmptyState, errorToast } from '@/shared/ui';
import { PROMPT } from './consent-request';

/** An application may want to know that it is really the member who sits there (OpenID Connect, `prompt=login`). */
export function SignInAgain({ name }: { name: string }) {
  const [parameters, setParameters] = useSearchParams();
  const { signOut, isPending } = useSignOut({
    // What comes next is the sign-in card, and then this address without the wish that has come true.
    onSignedOut() {
      const rest = new URLSearchParams(parameters);
      rest.delete(PROMPT);
      setParameters(rest, { replace: true });
    },
    onError: (error) => errorToast('Error', error),
  });
  return (
    <Card className="w-full max-w-md">
      <EmptyState
        level="h1"
        icon={KeyRound}
        title="Sign in once more"
        text={`${name} wants to be sure that it is you. Sign in again, then decide.`}
        action={
          <Button variant="primary" pending={isPending} onClick={signOut}>
            Sign In Again
          </Button>
        }
      />
    </Card>
  );
}
