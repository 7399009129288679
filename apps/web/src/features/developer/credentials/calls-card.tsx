import { isolated } from '@app/domain';
import { ScrollText } from 'lucide-react';
import { formatCount } from '@/shared/api';
import { Badge, formatDateTime } from '@/shared/ui';
import { RecordsCard } from './records-card';
import { type ApplicationCall, useCalls } from './use-credentials';

const EMPTY = {
  icon: ScrollText,
  title: 'No calls yet',
  text: 'What the application calls appears here within seconds, for 90 days.',
};

/** The log of an application's calls (rule oauth-28). */
export function CallsCard({ clientId }: { clientId: string }) {
  const list = useCalls(clientId);
  return (
    <RecordsCard
      title="Calls"
      list={list}
      records={list.data?.pages.flatMap(({ calls }) => calls)}
      renderRow={(call) => <CallRow call={call} />}
      idOf={({ id }) => id}
      empty={EMPTY}
    />
  );
}

const REFUSED = 400;

function CallRow({ call }: { call: ApplicationCall }) {
  const { at, livemode, method, route, status, code, durationMs, requestId, leftOut } = call;
  return (
    <div className="grid gap-1 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="min-w-0 flex-1 basis-56 font-mono text-xs wrap-anywhere text-ink" dir="ltr">
          {method} {route}
        </p>
        {!livemode && <Badge tone="hold">Test</Badge>}
        <Badge tone={status < REFUSED ? 'gain' : 'loss'}>{code === null ? status : `${status} ${code}`}</Badge>
      </div>
      <p className="text-xs text-ink-faint">
        {formatDateTime(at)} · {durationMs} ms · <span dir="auto">{credentialOf(call)}</span>
      </p>
      <p className="font-mono text-xs break-all text-ink-faint" dir="ltr">
        {requestId}
      </p>
      {leftOut > 0 && (
        <p className="text-xs text-hold">
          {formatCount(leftOut)} more calls at about this time or before were too many to keep.
        </p>
      )}
    </div>
  );
}

function credentialOf({ credential, secretName }: ApplicationCall): string {
  if (credential === 'member_token') return 'a member’s token';
  const secret = `“${isolated(secretName ?? '')}”`;
  return credential === 'token' ? `a token for ${secret}` : secret;
}
