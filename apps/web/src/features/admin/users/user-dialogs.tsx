import type { ReactNode } from 'react';
import { Dialog } from '@/shared/ui';
import { BlockEmailForm } from './block-email-form';
import { ChangeNovaDialog } from './change-nova-dialog';
import { ChangeRatingForm } from './change-rating-form';
import { DeleteAccountForm } from './delete-account-form';
import { ResetPasswordForm, ResetPinForm } from './reset-secret-form';
import type { UserAction } from './user-actions';
import { UserComments } from './user-comments';
import { NameAndEmail, ratingText } from './user-parts';
import type { AdminUser } from '../use-admin';

/** An action that asks in a dialog, and about whom. */
export interface StartedAction {
  action: Exclude<UserAction, 'transactions'>;
  user: AdminUser;
}

interface DialogContent {
  title: string;
  description: ReactNode;
  size?: 'md' | 'lg';
  form: ReactNode;
}

/** The dialog of the action that was started; none while it is null. */
export function UserDialogs({ started, onClose }: { started: StartedAction | null; onClose: () => void }) {
  const novaChange = started?.action === 'add' || started?.action === 'deduct' ? started.action : null;
  const content = started === null || novaChange !== null ? null : contentOf(started, onClose);
  return (
    <>
      <ChangeNovaDialog
        changing={started === null || novaChange === null ? null : { user: started.user, change: novaChange }}
        onClose={onClose}
      />
      <Dialog
        open={content !== null}
        onOpenChange={(open) => !open && onClose()}
        title={content?.title ?? ''}
        description={content?.description}
        size={content?.size ?? 'md'}
      >
        {content?.form}
      </Dialog>
    </>
  );
}

function contentOf({ action, user }: StartedAction, onDone: () => void): DialogContent | null {
  const name = <NameAndEmail user={user} />;
  switch (action) {
    case 'password':
      return {
        title: 'Reset Password',
        description: <>{name} is signed out everywhere.</>,
        form: <ResetPasswordForm user={user} onDone={onDone} />,
      };
    case 'pin':
      return {
        title: 'Reset PIN',
        description: <>{name} is signed out everywhere.</>,
        form: <ResetPinForm user={user} onDone={onDone} />,
      };
    case 'rating':
      return {
        title: 'Change Rating',
        description: (
          <>
            {name} has {ratingText(user)}.
          </>
        ),
        form: <ChangeRatingForm user={user} onDone={onDone} />,
      };
    case 'comments':
      return {
        title: 'Comments',
        description: (
          <>
            What was written about <bdi>{user.displayName}</bdi>, and by them.
          </>
        ),
        size: 'lg',
        form: <UserComments user={user} />,
      };
    case 'block':
      return {
        title: 'Block E-mail',
        description: 'Nobody can register with it any more.',
        form: <BlockEmailForm email={user.email} onDone={onDone} />,
      };
    case 'delete':
      return {
        title: 'Delete Account',
        description: <>{name} is deleted for good. This cannot be undone.</>,
        form: <DeleteAccountForm user={user} onDone={onDone} />,
      };
    case 'add':
    case 'deduct':
      return null;
  }
}
