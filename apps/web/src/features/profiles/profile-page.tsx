import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link, useSearchParams } from 'react-router-dom';
import * as z from 'zod/mini';
import { EmailCard } from '@/features/identity/email-card';
import { NoticesCard } from '@/features/identity/notices-card';
import { ThreadConnections } from '@/features/nexus';
import { PushCard } from '@/features/notices/push/push-card';
import { PasskeysCard } from '@/features/passkeys/passkeys-card';
import { TakeoutCard } from '@/features/takeout/takeout-card';
import { api, currentUserQuery, errorSentence, useCurrentUser } from '@/shared/api';
import {
  Button,
  buttonClasses,
  Card,
  ErrorNote,
  Field,
  PasswordInput,
  Skeleton,
  Tabs,
  TabsContent,
  TabsList,
  TabsTrigger,
  toast,
} from '@/shared/ui';
import { CropDialog, PROFILE_IMAGE_RULES, UploadDialog } from '@/shared/uploads';
import { ContentTab } from './content/content-tab';
import { IdentityCard, IdentitySkeleton } from './identity-card';
import { IMAGE_FAILED, sayImageFailed, useSetProfileImage, useSetThumbnail } from './picture/use-picture';
import { ProfileFigures } from './profile-figures';
import { ProfileForm } from './profile-form';
import { ProfileHeader } from './profile-header';
import type { Profile } from './profile-types';
import { BlockedMembersCard } from './settings/blocked-members-card';
import { ChatSettingsCard } from './settings/chat-settings-card';
import { PasswordCard } from './settings/password-card';
import { useProfile, useSaveProfile } from './use-profile';

/** The member's own profile (rule profiles-8). Unsaved edits stay while they look at other tabs. */
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
        <PushCard />
        {user?.awaitsAdminWord && <AdminWordCard />}
        <EmailCard />
        <PasswordCard email={profile?.email ?? ''} />
        <PasskeysCard email={profile?.email ?? ''} />
        <NoticesCard />
        <ApplicationsCard />
        <BlockedMembersCard />
        <TakeoutCard />
      </TabsContent>
    </Tabs>
  );
}

const PROFILE_TABS = ['content', 'nexus', 'settings'] as const;
type ProfileTab = (typeof PROFILE_TABS)[number];

const isTab = (name: string | null): name is ProfileTab => PROFILE_TABS.some((tab) => tab === name);

/** The address holds the tab, so that it can be linked and survives a reload; without one, Content is shown. */
function useProfileTab(): [tab: ProfileTab, show: (tab: string) => void] {
  const [parameters, setParameters] = useSearchParams();
  const named = parameters.get('tab');
  const show = (tab: string) => setParameters(tab === 'content' ? {} : { tab }, { replace: true });
  return [isTab(named) ? named : 'content', show];
}

/**
 * Links to the Developer Portal for every member: applications that may act for them, and those they build (rule
 * profiles-8).
 */
function ApplicationsCard() {
  return (
    <Card
      className="mt-6"
      title="Applications"
      description="See which applications may act for you, and revoke their access; or register one of your own."
    >
      <div className="flex flex-wrap gap-2">
        <Link to="/developer?tab=authorized" className={buttonClasses()}>
          Authorized Apps
        </Link>
        <Link to="/developer" className={buttonClasses()}>
          Developer Portal
        </Link>
      </div>
    </Card>
  );
}

interface PictureDialogsProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/**
 * Uploads a new profile picture, then crops it to its circle (rule profiles-12). Without cropping, it is used
 * unchanged.
 */
function PictureDialogs({ open, onOpenChange }: PictureDialogsProps) {
  const { mutateAsync: setImage } = useSetProfileImage();
  const { mutateAsync: setThumbnail } = useSetThumbnail();
  const [cropped, setCropped] = useState<string>();
  const [isCropOpen, setCropOpen] = useState(false);
  return (
    <>
      <UploadDialog
        open={open}
        onOpenChange={onOpenChange}
        title="Change Profile Picture"
        description="Next, choose the visible part."
        rules={PROFILE_IMAGE_RULES}
        failureText={IMAGE_FAILED}
        onSendFailed={sayImageFailed}
        onUploaded={async ({ mediaUrl }) => {
          const { profileImageUrl } = await setImage(mediaUrl);
          setCropped(profileImageUrl);
          setCropOpen(true);
        }}
      />
      {cropped !== undefined && (
        <CropDialog
          open={isCropOpen}
          onOpenChange={setCropOpen}
          src={cropped}
          onSave={async (jpeg) => void (await setThumbnail(jpeg))}
        />
      )}
    </>
  );
}

const schema = z.object({ word: z.string().check(z.trim(), z.minLength(1, 'Enter the word.')) });

/** For the account that the server's operator chose: the word proves that the account is the operator's. */
function AdminWordCard() {
  const client = useQueryClient();
  const { register, handleSubmit, formState } = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { word: '' },
  });
  const enter = useMutation({
    mutationFn: (body: z.infer<typeof schema>) => api.post('/api/auth/admin-word', { body }),
    onSuccess({ user }) {
      toast({ title: 'You Are an Admin', description: 'The admin panel is in your menu now.' });
      client.setQueryData(currentUserQuery.queryKey, user);
    },
  });
  return (
    <Card
      className="mt-6"
      title="Become an Admin"
      description="This server names your address as its first admin. Enter the one-time word that it gave its operator."
    >
      <form
        noValidate
        aria-label="Become an Admin"
        className="grid gap-4"
        onSubmit={(event) => void handleSubmit((values) => enter.mutate(values))(event)}
      >
        <Field
          label="One-Time Word"
          hint="The server's log names the file that contains it."
          error={formState.errors.word?.message}
        >
          <PasswordInput {...register('word')} autoComplete="off" />
        </Field>
        {enter.isError && (
          <ErrorNote>{errorSentence(enter.error, 'The word could not be checked. Please try again.')}</ErrorNote>
        )}
        <Button type="submit" className="justify-self-start" pending={enter.isPending} pendingText="Please wait...">
          Become an Admin
        </Button>
      </form>
    </Card>
  );
}
