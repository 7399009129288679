import { Users } from 'lucide-react';
import { Amount, formatDateTime } from '@/shared/ui';
import { ScopeList } from '../applications/scope-list';
import { RecordsCard } from './records-card';
import { type ConsentingMember, useConsentingMembers } from './use-credentials';

const EMPTY = {
  icon: Users,
  title: 'No members yet',
  text: 'Members who consent appear here, with what they allow.',
};

/** The members who consented to an application, as it knows them (rule oauth-27). */
export function MembersCard({ clientId }: { clientId: string }) {
  const list = useConsentingMembers(clientId);
  return (
    <RecordsCard
      title="Members Who Consented"
      list={list}
      records={list.data?.pages.flatMap(({ members }) => members)}
      renderRow={(member) => <MemberRow member={member} />}
      idOf={({ userId }) => userId}
      empty={EMPTY}
    />
  );
}

function MemberRow({ member: { userId, scopes, since, dailyLimit } }: { member: ConsentingMember }) {
  return (
    <div className="grid gap-2 px-4 py-3">
      <p className="font-mono text-xs break-all text-ink" dir="ltr">
        {userId}
      </p>
      <ScopeList scopes={scopes} />
      <p className="text-xs text-ink-faint">
        <span>Since {formatDateTime(since)}</span>
        {dailyLimit !== null && (
          <span>
            <span> · at most </span>
            <Amount value={dailyLimit} />
            <span> a day</span>
          </span>
        )}
      </p>
    </div>
  );
}
