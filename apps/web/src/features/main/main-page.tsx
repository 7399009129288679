import type { ComponentType } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { DiscoveryGrid, MemberCard } from '@/features/discovery';
import { part } from '@/shared/part';
import { buttonClasses, PageHeader } from '@/shared/ui';
import { useMainTab, type MainTab } from './main-tabs';

const StatusTab = part(async () => (await import('@/features/status')).StatusTab);
export const FeedView = part(async () => (await import('@/features/feed/feed-view')).FeedView);
const NexusTab = part(async () => (await import('@/features/nexus/nexus-tab')).NexusTab);
const ProfileTab = part(async () => (await import('@/features/profiles/profile-tab')).ProfileTab);

const tabPages: Record<MainTab, ComponentType> = {
  discover: DiscoverTab,
  feed: FeedTab,
  status: StatusTab,
  nexus: NexusTab,
  profile: ProfileTab,
};

/** The main screen with its tabs (rule screens-6). */
export function MainPage() {
  const Tab = tabPages[useMainTab() ?? 'discover'];
  return <Tab />;
}

/** The grid, or the one card that the address names (rule discovery-19). */
function DiscoverTab() {
  const [address] = useSearchParams();
  const memberId = address.get('member');
  if (memberId === null) {
    return (
      <>
        <PageHeader title="Discover" />
        <DiscoveryGrid />
      </>
    );
  }
  return (
    <>
      <PageHeader
        title="Discover"
        actions={
          <Link to="/discovery" className={buttonClasses()}>
            Show all profiles
          </Link>
        }
      />
      <MemberCard key={memberId} memberId={memberId} />
    </>
  );
}

function FeedTab() {
  return (
    <>
      <PageHeader title="Feed" />
      <FeedView />
    </>
  );
}
