import { errorSentence } from '@/shared/api';
import { Avatar, Card, ErrorNote, RelativeTime } from '@/shared/ui';
import { SkeletonRows } from '../list-body';
import { MemberLink } from '../member-link';
import { useAdmins } from './use-approvals';

/** Who is an admin, and who made them one. */
export function AdminsCard() {
  const admins = useAdmins();
  return (
    <Card title="Admins" description="Make an admin, or take an admin’s rights, in the menu of a user." flush>
      {admins.error !== null && (
        <ErrorNote className="mx-4 mb-4 sm:mx-6" onRetry={() => void admins.refetch()} retrying={admins.isFetching}>
          {errorSentence(admins.error, 'The admins could not be loaded.')}
        </ErrorNote>
      )}
      {admins.error === null && admins.data === undefined && <SkeletonRows label="Loading admins" count={2} />}
      {admins.data !== undefined && (
        <ul aria-label="Admins" className="divide-y divide-line border-t border-line">
          {admins.data.admins.map(({ id, displayName, email, profileImageUrl, since, madeBy }) => (
            <li key={id} className="flex items-center gap-3 px-4 py-3 text-sm sm:px-6">
              <Avatar size="sm" name={displayName} src={profileImageUrl} />
              <div className="min-w-0 flex-1">
                <p className="truncate">
                  <MemberLink name={displayName} />
                </p>
                <p className="truncate text-xs text-ink-faint">{email}</p>
              </div>
              <p className="text-right text-xs text-ink-faint">
                {since === null ? (
                  'The first admin'
                ) : (
                  <span>
                    Made by <bdi>{madeBy}</bdi> <RelativeTime iso={since} />
                  </span>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
