import { useState } from 'react';
import { ThreadConnections } from '@/features/nexus';
import { EmailCard } from '@/features/identity/email-card';
import { NoticesCard } from '@/features/identity/notices-card';
import { errorSentence, useCurrentUser } from '@/shared/api';
import { Card, ErrorNote, Skeleton, Tabs, TabsContent, TabsList, TabsTrigger } from '@/shared/ui';
import { ContentTab } from './content/content-tab';
import { IdentityCard, IdentitySkeleton } from './identity-card';
import { PictureDialogs } from './picture/picture-dialogs';
import { ProfileFigures } from './profile-figures';
import { ProfileForm } from './profile-form';
import { ProfileHeader } from './profile-header';
import { useProfileTab } from './profile-tabs';
import type { Profile } from './profile-types';
import { AdminWordCard } from './settings/admin-word-card';
import { ApplicationsCard } from './settings/applications-card';
import { BlockedMembersCard } from './settings/blocked-members-card';
import { ChatSettingsCard } from './settings/chat-settings-card';
import { PasskeysCard } from '@/features/passkeys/passkeys-card';
import { PasswordCard } from './settings/password-card';
import { useProfile, useSaveProfile } from './use-profile';

/** One's own profile (rule profiles-8). What is being edited stays while one looks at other tabs. */
export function ProfilePage() {
  const { data: profile, error, refetch, isFetching } = useProfile();
  const save = useSaveProfile();
  const [edited, setEdited] = useState<Profile>();
  const [isPictureOpen, setPictureOpen] = useState(false);
  return (
    <>
      <ProfileHeader
        isEditing={edited !== undefined}
        isSaving={save.isPending}
        canEdit={profile !== undefined}
        onEdit={() => setEdited(profile)}
        onCancel={() => setEdited(undefined)}
      />
      {profile === undefined && error !== null ? (
        <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
          {errorSentence(error, 'Your profile could not be loaded.')}
        </ErrorNote>
      ) : (
        <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_17rem]">
          <div className="grid min-w-0 grid-cols-1 content-start gap-6">
            {profile === undefined ? (
              <IdentitySkeleton />
            ) : (
              <IdentityCard
                profile={profile}
                onChangePicture={() => setPictureOpen(true)}
                form={
                  edited && (
                    <ProfileForm
                      profile={edited}
                      onSave={(edit) => save.mutate(edit, { onSuccess: () => setEdited(undefined) })}
                    />
                  )
                }
              />
            )}
            <ProfileTabs profile={profile} />
          </div>
          <ProfileFigures profile={profile} />
        </div>
      )}
      <PictureDialogs open={isPictureOpen} onOpenChange={setPictureOpen} />
    </>
  );
}

function ProfileTabs({ profile }: { profile: Profile | undefined }) {
  const [tab, show] = useProfileTab();
  const { data: user } = useCurrentUser();
  return (
    <Tabs value={tab} onValueChange={show}>
      <TabsList aria-label="Parts of your profile">
        <TabsTrigger value="content">Content</TabsTrigger>
        <TabsTrigger value="nexus">Nexus</TabsTrigger>
        <TabsTrigger value="settings">Settings</TabsTrigger>
      </TabsList>
      <TabsContent value="content">
        <ContentTab />
      </TabsContent>
      <TabsContent value="nexus">
        <ThreadConnections />
      </TabsContent>
      <TabsContent value="settings">
        {profile ? (
          <ChatSettingsCard settings={profile} />
        ) : (
          <Card title="Chat Settings">
            <Skeleton className="h-56" />
          </Card>
        )}
        {user?.awaitsAdminWord && <AdminWordCard />}
        <EmailCard />
        <PasswordCard email={profile?.email ?? ''} />
        <PasskeysCard email={profile?.email ?? ''} />
        <NoticesCard />
        <ApplicationsCard />
        <BlockedMembersCard />
      </TabsContent>
    </Tabs>
  );
}
