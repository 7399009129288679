import { lazy, type ComponentType } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { AvatarMenuCard } from '@/features/shell/avatar-menu-card';
import { DiscoveryGrid } from '@/features/discovery';
import { StatusTab } from '@/features/status';
import { useCurrentUser } from '@/shared/api';
import { buttonClasses, Card, PageHeader } from '@/shared/ui';
import { useMainTab, type MainTab } from './main-tabs';

const FeedView = lazy(async () => ({ default: (await import('@/features/feed/feed-view')).FeedView }));
const NexusTab = lazy(async () => ({ default: (await import('@/features/nexus/nexus-tab')).NexusTab }));

const tabPages: Record<MainTab, ComponentType> = {
  discover: DiscoverTab,
  status: StatusTab,
  nexus: NexusTab,
  profile: ProfileTab,
};

/** The main screen with its tabs (rule screens-6). */
export function MainPage() {
  const Tab = tabPages[useMainTab() ?? 'discover'];
  return <Tab />;
}

/** The grid at /discovery, the feed at /feed (rule screens-6). */
function DiscoverTab() {
  const { pathname } = useLocation();
  const onFeed = pathname === '/feed';
  return (
    <>
      <PageHeader
        title={onFeed ? 'Feed' : 'Discover'}
        actions={
          <Link to={onFeed ? '/discovery' : '/feed'} className={buttonClasses()}>
            {onFeed ? 'Show profiles' : 'Show feed'}
          </Link>
        }
      />
      {onFeed ? <FeedView /> : <DiscoveryGrid />}
    </>
  );
}

function ProfileTab() {
  const { data: user } = useCurrentUser();
  return (
    <div className="mx-auto max-w-md">
      <PageHeader title="Profile" />
      {user !== null && user !== undefined && (
        <Card>
          <AvatarMenuCard user={user} />
        </Card>
      )}
    </div>
  );
}
