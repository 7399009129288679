import { formatCount } from '@/shared/api';
import { sizeText } from '@/shared/uploads';
import { Amount, Avatar, Badge, formatDay } from '@/shared/ui';
import type { AdminUser } from '../use-admin';

export const joined = ({ createdAt }: AdminUser): string => formatDay(createdAt);

/** The rating as members see it, with the number of ratings. */
export const ratingText = ({ rating, ratingCount }: AdminUser): string =>
  `${rating.toFixed(2)} (${formatCount(ratingCount)})`;

/** The number and size of the member's files. */
export const filesText = ({ fileCount, fileBytes }: AdminUser): string => {
  if (fileCount === 0) return 'No files';
  return `${fileCount === 1 ? '1 file' : `${formatCount(fileCount)} files`}, ${sizeText(fileBytes)}`;
};

export function UserName({ user }: { user: AdminUser }) {
  return (
    <span className="flex min-w-0 items-center gap-x-3 py-1.5 cramped:flex-wrap">
      <Avatar size="sm" name={user.displayName} src={user.profileImageUrl} />
      <span className="min-w-0 flex-1 cramped:basis-full">
        <span className="flex items-center gap-2">
          <bdi className="truncate text-sm font-medium text-ink" title={user.displayName}>
            {user.displayName}
          </bdi>
          {user.isAdmin && <Badge tone="nova">Admin</Badge>}
        </span>
        <span className="block truncate text-xs text-ink-faint" title={user.email}>
          {user.email}
        </span>
      </span>
    </span>
  );
}

/** Identifies a user, because several may have the same name. */
export function NameAndEmail({ user }: { user: AdminUser }) {
  return (
    <>
      <bdi>{user.displayName}</bdi> ({user.email})
    </>
  );
}

/** The member's balance, and how much of it was purchased, earned and is owed by pools; the parts add up to it. */
export function UserBalance({ user }: { user: AdminUser }) {
  return (
    <span className="inline-block py-1.5 whitespace-nowrap">
      <Amount value={user.novaBalance} className="font-semibold" />
      <span className="block text-xs text-ink-faint">
        <span className="block sm:inline">
          <Amount value={user.purchasedNova} bare /> purchased
        </span>
        <span className="hidden sm:inline"> · </span>
        <span className="block sm:inline">
          <Amount value={user.earnedNova} bare /> earned
        </span>
        {user.owedNova !== 0 && (
          <>
            <span className="hidden sm:inline"> · </span>
            <span className="block sm:inline">
              <Amount value={user.owedNova} bare /> not yet credited
            </span>
          </>
        )}
      </span>
    </span>
  );
}
