import { BookOpen, LogOut, Orbit, Pencil, Wallet, type LucideIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { useSignOutAction } from '@/features/shell/use-sign-out-action';
import { Button, buttonClasses, failureToast, PageHeader } from '@/shared/ui';

/** The id of the form that Save submits. */
export const PROFILE_FORM = 'profile-form';

export interface ProfileHeaderProps {
  isEditing: boolean;
  isSaving: boolean;
  /** There is something to edit. */
  canEdit: boolean;
  onEdit: () => void;
  onCancel: () => void;
}

/** The page's title, the back link, Edit Profile, and links to the member's other pages (rule profiles-8). */
export function ProfileHeader({ isEditing, isSaving, canEdit, onEdit, onCancel }: ProfileHeaderProps) {
  const editButton = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(isEditing);
  useEffect(() => {
    // The button that was pressed is gone.
    if (wasEditing.current && !isEditing) editButton.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  return (
    <>
      <PageHeader
        title="Profile"
        backTo="/"
        backLabel="Back to discovery"
        actions={
          isEditing ? (
            <>
              <Button disabled={isSaving} onClick={onCancel}>
                Cancel
              </Button>
              <Button variant="primary" type="submit" form={PROFILE_FORM} pending={isSaving}>
                Save
              </Button>
            </>
          ) : (
            <Button
              ref={editButton}
              variant="primary"
              disabled={!canEdit}
              icon={<Pencil aria-hidden="true" className="size-4" />}
              onClick={onEdit}
            >
              Edit Profile
            </Button>
          )
        }
      />
      <nav
        aria-label="More of yours"
        className="-mt-2 mb-6 grid grid-cols-[auto_auto] gap-2 cramped:grid-cols-1 sm:flex sm:flex-wrap"
      >
        <HeaderLink to="/resonance" icon={Orbit} label="Resonance" />
        <HeaderLink to="/wallet" icon={Wallet} label="Wallet & Transactions" />
        <HeaderLink to="/quests" icon={BookOpen} label="Daily Quests" />
        <SignOutButton />
      </nav>
    </>
  );
}

function HeaderLink({ to, icon: Icon, label }: { to: string; icon: LucideIcon; label: string }) {
  return (
    <Link to={to} className={buttonClasses({ className: 'max-sm:px-1' })}>
      <Icon aria-hidden="true" className="size-4 shrink-0 text-ink-muted max-sm:hidden" />
      {label}
    </Link>
  );
}

/** Uses the page's own words for a failure (rule profiles-13). */
function SignOutButton() {
  const { signOut, isPending } = useSignOutAction(() => failureToast('Sign Out Failed', 'Please try again.'));
  return (
    <Button
      variant="ghost"
      className="text-ink-muted sm:ml-auto"
      pending={isPending}
      icon={<LogOut aria-hidden="true" className="size-4 max-sm:hidden" />}
      onClick={signOut}
    >
      Sign Out
    </Button>
  );
}
