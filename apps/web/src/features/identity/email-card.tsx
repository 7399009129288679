import { useMutation } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { api, errorSentence, useCurrentUser } from '@/shared/api';
import { Badge, Button, Card, ErrorNote, toast } from '@/shared/ui';
import { useAuthFeatures } from './use-security';

/**
 * The member's address, and whether mail to it is known to arrive. Shows nothing on an installation that sends no mail.
 */
export function EmailCard() {
  const { data: user } = useCurrentUser();
  const { data: features } = useAuthFeatures();
  const send = useMutation({
    mutationFn: () => api.post('/api/auth/verification'),
    onSuccess: ({ message }) => toast({ title: 'Mail Sent', description: message }),
  });
  if (!user || features?.mail !== true) return null;
  return (
    <Card
      className="mt-6"
      title="Email Address"
      description={
        user.emailVerified
          ? 'Security notices are sent to it as well, and you can reset your password by mail.'
          : 'Confirm it to get security notices by mail, and to be able to reset your password by mail.'
      }
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="min-w-0 text-sm font-medium text-ink">{user.email}</p>
        {user.emailVerified ? <Badge tone="gain">Confirmed</Badge> : <Badge tone="hold">Not confirmed</Badge>}
      </div>
      {!user.emailVerified && (
        <>
          {send.isError && (
            <ErrorNote className="mt-4">
              {errorSentence(send.error, 'The mail could not be sent. Please try again.')}
            </ErrorNote>
          )}
          <Button
            className="mt-4"
            icon={<MailCheck aria-hidden="true" className="size-4" />}
            pending={send.isPending}
            pendingText="Please wait..."
            onClick={() => send.mutate()}
          >
            Send Confirmation Mail
          </Button>
        </>
      )}
    </Card>
  );
}
