import { Ban } from 'lucide-react';
import { useBlockedMembers, useChangeRelation, type BlockedMember } from '@/features/discovery/use-relation';
import { errorSentence } from '@/shared/api';
import { Avatar, Button, Card, EmptyState, ErrorNote, LoadMore, RelativeTime, Skeleton } from '@/shared/ui';

const FAILURE = 'The members whom you blocked could not be loaded.';

/** Members whom this member has blocked, each with a way to unblock them; cards and the feed do not show them. */
export function BlockedMembersCard() {
  const blocked = useBlockedMembers();
  const members = blocked.data?.pages.flatMap((page) => page.members);
  return (
    <Card
      flush
      className="mt-6"
      title="Blocked Members"
      description="You do not see each other’s cards and posts, and neither of you can request a chat."
    >
      {members === undefined && !blocked.isError && <Skeleton className="mx-4 mb-4 h-14 sm:mx-6 sm:mb-6" />}
      {members === undefined && blocked.isError && (
        <div className="px-4 pb-4 sm:px-6 sm:pb-6">
          <ErrorNote onRetry={() => void blocked.refetch()} retrying={blocked.isFetching}>
            {errorSentence(blocked.error, FAILURE)}
          </ErrorNote>
        </div>
      )}
      {members?.length === 0 && (
        <EmptyState
          icon={Ban}
          title="Nobody is blocked"
          text="Block a member from the menu of their card."
          className="pb-8"
        />
      )}
      {members !== undefined && members.length > 0 && (
        <ul aria-label="Blocked members" className="-mt-2 divide-y divide-line pb-1">
          {members.map((member) => (
            <BlockedRow key={member.id} member={member} />
          ))}
        </ul>
      )}
      <LoadMore list={blocked} failure={blocked.isFetchNextPageError ? FAILURE : null} />
    </Card>
  );
}

function BlockedRow({ member: { id, displayName, profileImageUrl, blockedAt } }: { member: BlockedMember }) {
  const { mutate, isPending } = useChangeRelation();
  return (
    <li className="flex items-center gap-3 px-4 py-3 sm:px-6">
      <Avatar name={displayName} src={profileImageUrl} />
      <div className="min-w-0 flex-1">
        <p dir="auto" className="truncate text-left text-sm font-semibold text-ink">
          {displayName}
        </p>
        <p className="text-xs text-ink-faint">
          Blocked <RelativeTime iso={blockedAt} />
        </p>
      </div>
      <Button
        size="sm"
        pending={isPending}
        aria-label={`Unblock ${displayName}`}
        onClick={() => mutate({ memberId: id, call: 'block', method: 'DELETE' })}
      >
        Unblock
      </Button>
    </li>
  );
}
