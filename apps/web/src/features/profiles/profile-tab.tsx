import { MemberCard } from '@/features/discovery';
import { AvatarMenuCard } from '@/features/shell/avatar-menu-card';
import { useCurrentUser } from '@/shared/api';
import { Card, PageHeader } from '@/shared/ui';
import { PostsSection } from './content/content-tab';
import { ProfileFigures } from './profile-figures';
import { useProfile } from './use-profile';

/** The profile tab (rule screens-22): the avatar menu card, then the member's own card, figures and posts. */
export function ProfileTab() {
  const { data: user } = useCurrentUser();
  const { data: profile } = useProfile();
  return (
    <>
      <PageHeader title="Profile" />
      {user !== null && user !== undefined && (
        <div className="grid grid-cols-1 gap-6">
          <Card>
            <AvatarMenuCard user={user} isCompact />
          </Card>
          <div className="grid grid-cols-1 gap-6 lg:grid-cols-[17rem_minmax(0,1fr)]">
            <section aria-label="Your card" className="min-w-0">
              <MemberCard memberId={user.id} />
            </section>
            <ProfileFigures profile={profile} isWide />
          </div>
          <PostsSection />
        </div>
      )}
    </>
  );
}
