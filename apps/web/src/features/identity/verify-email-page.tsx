import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link2Off, MailCheck } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import { api, errorSentence, queryKeys, useCurrentUser } from '@/shared/api';
import { Button, buttonClasses, ErrorNote, PageNotice } from '@/shared/ui';
import { linkToken } from './link-token';

const onward = (
  <Link to="/" className={buttonClasses({ variant: 'primary' })}>
    Go to Nova
  </Link>
);

/** The page behind the link of a confirmation mail. Opening it does nothing yet, because programs open links too. */
export function VerifyEmailPage() {
  const { data: user } = useCurrentUser();
  const { hash } = useLocation();
  const client = useQueryClient();
  const token = linkToken(hash);
  const confirm = useMutation({
    mutationFn: () => api.post('/api/auth/verification/confirm', { body: { token: token ?? '' } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.currentUser }),
  });
  if (user?.emailVerified === true) {
    return (
      <PageNotice
        icon={MailCheck}
        title="Your Email Address Is Confirmed"
        text="Security notices reach you by mail as well, and you can reset your password by mail."
        action={onward}
      />
    );
  }
  if (token === undefined) {
    return (
      <PageNotice
        icon={Link2Off}
        title="This Link Is Incomplete"
        text="Open it again from the mail, or ask for a new one in your profile’s settings."
        action={onward}
      />
    );
  }
  return (
    <PageNotice
      icon={MailCheck}
      title="Confirm Your Email Address"
      text={user ? `${user.email} is the address of your account.` : undefined}
      action={
        <>
          {confirm.isError && (
            <ErrorNote className="w-full text-left">
              {errorSentence(confirm.error, 'Your address could not be confirmed. Please try again.')}
            </ErrorNote>
          )}
          <Button
            variant="primary"
            pending={confirm.isPending}
            pendingText="Please wait..."
            onClick={() => confirm.mutate()}
          >
            Confirm Address
          </Button>
        </>
      }
    />
  );
}
