import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { formatCount } from '@/shared/api';
import { Amount, Card, Skeleton } from '@/shared/ui';
import { ratingText, responseText } from './figure-texts';
import type { Profile } from './profile-types';

interface ProfileFiguresProps {
  profile: Profile | undefined;
  /** Whether there is room for both beside each other, on wide screens too. */
  isWide?: boolean;
}

/** The sidebar (rule profiles-7): Quality Metrics and Activity. */
export function ProfileFigures({ profile, isWide = false }: ProfileFiguresProps) {
  return (
    <aside
      aria-label="Your figures"
      className={clsx('grid content-start gap-4 sm:grid-cols-2', !isWide && 'lg:grid-cols-1')}
    >
      <Card title="Quality Metrics">
        <dl className="grid gap-3">
          <Figure label="Rating">{profile && ratingText(profile)}</Figure>
          <Figure label="Success Rate">{profile && `${profile.successRate}%`}</Figure>
          <Figure label="Avg Response">{profile && responseText(profile.responseTimeMinutes)}</Figure>
        </dl>
      </Card>
      <Card title="Activity">
        <dl className="grid gap-3">
          <Figure label="Completed Chats">{profile && formatCount(profile.completedChats)}</Figure>
          <Figure label="Total Earnings">{profile && <Amount value={profile.totalEarnings} />}</Figure>
        </dl>
      </Card>
    </aside>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode | undefined }) {
  return (
    <div className="flex items-baseline justify-between gap-x-3 text-sm cramped:flex-wrap">
      <dt className="text-ink-muted">{label}</dt>
      <dd className="font-semibold text-ink tabular-nums">{children ?? <Skeleton className="h-5 w-14" />}</dd>
    </div>
  );
}
