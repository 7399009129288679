import { Ban, MailX } from 'lucide-react';
import { useState } from 'react';
import { useSettledValue } from '@/shared/hooks/use-settled-value';
import { Button, Card, Dialog, Field, RelativeTime, Skeleton, TextInput } from '@/shared/ui';
import { ListBody } from '../list-body';
import { Pager } from '../pager';
import { BlockEmailForm } from './block-email-form';
import { useAdminAction, useBlockedEmails, type BlockedEmail } from './user-calls';
import { api } from '@/shared/api';

/** Addresses that cannot register (rule admin-10), with a way to block another. */
export function BlockedEmails() {
  const [text, setText] = useState('');
  const [page, setPage] = useState(1);
  const [isBlocking, setBlocking] = useState(false);
  const search = useSettledValue(text.trim());
  const blocked = useBlockedEmails({ search, page });
  const hasList = search !== '' || (blocked.data?.pagination.total ?? 0) > 0;
  return (
    <Card
      className="mt-6"
      title="Blocked E-mails"
      flush
      aria-busy={blocked.isFetching}
      actions={
        <Button icon={<Ban aria-hidden="true" className="size-4" />} onClick={() => setBlocking(true)}>
          Block E-mail
        </Button>
      }
    >
      {hasList && (
        <div className="px-4 pb-4 sm:px-6">
          <Field label="Search blocked e-mails" className="sm:max-w-sm">
            <TextInput
              type="search"
              autoComplete="off"
              value={text}
              onChange={(event) => {
                setText(event.target.value);
                setPage(1);
              }}
            />
          </Field>
        </div>
      )}
      <ListBody
        list={blocked}
        failure="The blocked e-mails could not be loaded."
        empty={{ icon: MailX, title: 'No blocked e-mails', text: 'Addresses that may not register are listed here.' }}
        isFiltered={search !== ''}
        onClear={() => setText('')}
        onFirstPage={() => setPage(1)}
        skeleton={<Skeleton className="mx-4 mb-4 h-16 sm:mx-6" />}
      >
        {({ blockedEmails }) => (
          <ul aria-label="Blocked e-mails" className="divide-y divide-line border-t border-line">
            {blockedEmails.map((blockedEmail) => (
              <BlockedRow key={blockedEmail.id} blocked={blockedEmail} />
            ))}
          </ul>
        )}
      </ListBody>
      {blocked.data !== undefined && (
        <Pager label="Pages of blocked e-mails" pagination={blocked.data.pagination} onGoTo={setPage} />
      )}
      <Dialog
        open={isBlocking}
        onOpenChange={setBlocking}
        title="Block E-mail"
        description="Nobody can register with it any more."
      >
        <BlockEmailForm email="" onDone={() => setBlocking(false)} />
      </Dialog>
    </Card>
  );
}

function BlockedRow({ blocked }: { blocked: BlockedEmail }) {
  const action = useAdminAction({
    act: (body: Record<string, never>) =>
      api.delete('/api/admin/blocked-emails/{id}', { path: { id: blocked.id }, body }),
    done: 'E-mail Unblocked',
    failure: 'Failed to unblock email',
    onDone: () => undefined,
  });
  const isOtherwiseWritten = blocked.mailbox !== blocked.email.toLowerCase();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-6">
      <div className="min-w-0 flex-1 basis-56">
        <p className="text-sm font-medium wrap-anywhere text-ink">{blocked.email}</p>
        <p className="text-xs wrap-anywhere text-ink-faint">
          {isOtherwiseWritten && <span>As {blocked.mailbox} · </span>}
          <RelativeTime iso={blocked.createdAt} />
          {blocked.blockedBy !== null && (
            <span>
              {' '}
              by <bdi>{blocked.blockedBy}</bdi>
            </span>
          )}
        </p>
        {blocked.reason !== null && (
          <p dir="auto" className="mt-1 text-sm wrap-anywhere text-ink-muted">
            {blocked.reason}
          </p>
        )}
      </div>
      <Button
        size="sm"
        pending={action.isPending}
        aria-label={`Unblock ${blocked.email}`}
        onClick={() => action.run({})}
      >
        Unblock
      </Button>
    </li>
  );
}
