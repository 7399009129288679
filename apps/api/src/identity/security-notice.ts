import { deviceName } from '@app/domain';

/** Security notices to a member. A new kind needs only its sentence and its title below. */
export type SecurityNotice =
  | { readonly kind: 'new_device'; readonly deviceId: string; readonly userAgent: string }
  | { readonly kind: 'recovered'; readonly by: 'pin' | 'mail' }
  | { readonly kind: 'recovery_paused'; readonly hours: number }
  | { readonly kind: 'passkey_added'; readonly name: string }
  | { readonly kind: 'passkey_removed'; readonly name: string }
  | { readonly kind: 'takeout_ordered'; readonly deviceId: string }
  | {
      readonly kind: 'passkeys_after_recovery';
      readonly removed: readonly string[];
      readonly left: readonly string[];
    }
  | SecretChanged
  | SpendingConsent;

interface SecretChanged {
  readonly kind: 'password_changed' | 'pin_changed';
  readonly by: 'member' | 'admin';
  /** The device on which the member did it: it is not told. */
  readonly deviceId?: string | undefined;
}

interface SpendingConsent {
  readonly kind: 'spending_consent';
  /** The device on which it was given: it is not told. */
  readonly deviceId: string;
  readonly application: string;
  /** In Nova. */
  readonly dailyLimit: number;
}

export type NoticeKind = SecurityNotice['kind'];

/** The sentence of a notice, on the screen and in a mail. Names in it are as members typed them. */
export function sentenceOf(notice: SecurityNotice): string {
  switch (notice.kind) {
    case 'new_device':
      return `A new device signed in to your account: ${deviceName(notice.userAgent)}.`;
    case 'recovered':
      return `Your password was reset ${notice.by === 'pin' ? 'with your recovery PIN' : 'by mail'}. All devices were signed out.`;
    case 'password_changed':
      return notice.by === 'member' ? 'Your password was changed.' : 'An admin set a new password for your account.';
    case 'pin_changed':
      return notice.by === 'member'
        ? 'Your recovery PIN was changed.'
        : 'An admin set a new recovery PIN for your account.';
    case 'recovery_paused':
      return `Somebody entered wrong recovery PINs for your account. Recovery by PIN is paused for ${hours(notice.hours)}.`;
    case 'spending_consent':
      return `You allowed “${notice.application}” to spend up to ${notice.dailyLimit.toLocaleString('en')} Nova a day for you.`;
    case 'passkey_added':
      return `The passkey “${notice.name}” was added to your account.`;
    case 'passkey_removed':
      return `The passkey “${notice.name}” was removed from your account.`;
    case 'takeout_ordered':
      return 'A file with everything of yours was asked for. Whoever is signed in to your account can download it.';
    case 'passkeys_after_recovery':
      return [
        ...(notice.removed.length === 0 ? [] : [`The reset removed your newest passkeys: ${quoted(notice.removed)}.`]),
        notice.left.length === 0
          ? 'No passkey is left.'
          : `These passkeys still work: ${quoted(notice.left)}. In your settings, remove any that is not yours.`,
      ].join(' ');
  }
}

/** The subject of a notice's mail: it contains no text of a member. */
export function titleOf({ kind }: SecurityNotice): string {
  switch (kind) {
    case 'new_device':
      return 'New device signed in';
    case 'recovered':
      return 'Your password was reset';
    case 'password_changed':
      return 'Your password was changed';
    case 'pin_changed':
      return 'Your recovery PIN was changed';
    case 'recovery_paused':
      return 'Recovery by PIN is paused';
    case 'spending_consent':
      return 'An application may spend your Nova';
    case 'passkey_added':
      return 'A passkey was added';
    case 'passkey_removed':
      return 'A passkey was removed';
    case 'takeout_ordered':
      return 'Your data was asked for';
    case 'passkeys_after_recovery':
      return 'Your passkeys after the reset';
  }
}

const quoted = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(', ');

const hours = (count: number): string => (count === 1 ? 'an hour' : `${count} hours`);
