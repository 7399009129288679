import { isWebsite } from '@app/domain';
import { Camera, Globe, MapPin } from 'lucide-react';
import type { ReactNode } from 'react';
import { MemberAvatar } from '@/features/shell/member-avatar';
import { buttonClasses, Card, Skeleton } from '@/shared/ui';
import type { Profile } from './profile-types';

export interface IdentityCardProps {
  profile: Profile;
  onChangePicture: () => void;
  /** Replaces the details while they are edited. */
  form?: ReactNode;
}

/** The member's picture, name, bio, location and website. */
export function IdentityCard({ profile, onChangePicture, form }: IdentityCardProps) {
  return (
    <Card aria-label="About you">
      <div className="flex flex-col gap-6 sm:flex-row">
        <div className="relative h-fit w-fit shrink-0">
          <MemberAvatar user={profile} size="xl" />
          <button
            type="button"
            aria-label="Change profile picture"
            onClick={onChangePicture}
            className={buttonClasses({
              size: 'icon',
              className: 'absolute -right-3 -bottom-3 rounded-full! shadow-raised',
            })}
          >
            <Camera aria-hidden="true" className="size-4" />
          </button>
        </div>
        <div className="min-w-0 flex-1">{form ?? <IdentityTexts profile={profile} />}</div>
      </div>
    </Card>
  );
}

function IdentityTexts({ profile }: { profile: Profile }) {
  const { displayName, email, bio, location, website } = profile;
  return (
    <>
      <h2 className="text-left font-display text-xl font-semibold wrap-anywhere" dir="auto">
        {displayName}
      </h2>
      <p className="text-sm wrap-anywhere text-ink-muted">{email}</p>
      {bio === null ? (
        <p className="mt-3 text-sm text-ink-faint">Tell others about yourself with Edit Profile.</p>
      ) : (
        <p className="mt-3 max-w-prose text-sm wrap-anywhere whitespace-pre-line text-ink" dir="auto">
          {bio}
        </p>
      )}
      {(location !== null || website !== null) && (
        <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm text-ink-muted">
          {location !== null && (
            <li className="flex min-w-0 items-center gap-1.5">
              <MapPin aria-hidden="true" className="size-4 shrink-0" />
              <span className="sr-only">Location: </span>
              <bdi className="wrap-anywhere">{location}</bdi>
            </li>
          )}
          {website !== null && (
            <li className="flex min-w-0 items-center gap-1.5">
              <Globe aria-hidden="true" className="size-4 shrink-0" />
              <span className="sr-only">Website: </span>
              <Website address={website} />
            </li>
          )}
        </ul>
      )}
    </>
  );
}

/** A link only if the stored text is the address of a web page. */
function Website({ address }: { address: string }) {
  const shown = address.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');
  if (!isWebsite(address)) return <bdi className="wrap-anywhere">{address}</bdi>;
  return (
    <a
      href={address}
      target="_blank"
      rel="nofollow noopener noreferrer"
      className="inline-flex min-h-11 items-center wrap-anywhere text-ink underline decoration-line-strong underline-offset-4 hover:decoration-ink sm:min-h-0"
    >
      <bdi>{shown}</bdi>
    </a>
  );
}

export function IdentitySkeleton() {
  return (
    <Card aria-busy="true" aria-label="About you">
      <div className="flex flex-col gap-4 sm:flex-row sm:gap-6">
        <Skeleton className="size-20 rounded-full" />
        <div className="flex-1 space-y-3">
          <Skeleton className="h-7 w-48" />
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-4 w-full max-w-md" />
        </div>
      </div>
    </Card>
  );
}
