import { Module } from '@nestjs/common';
import { AccountSecrets } from './account-secrets.js';
import { AdminRights } from './admin-rights.js';
import { DuplicateAddresses } from './ascii-domains.js';
import { AuthController } from './auth.controller.js';
import { ChangePasswordController } from './change-password.controller.js';
import { BlockedEmails } from './blocked-emails.js';
import { BecomeAdminHandler } from './commands/become-admin.js';
import { ChangePasswordHandler } from './commands/change-password.js';
import { ConfirmAddressHandler } from './commands/confirm-address.js';
import { MarkNoticesSeenHandler } from './commands/mark-notices-seen.js';
import { RecoverPasswordHandler } from './commands/recover-password.js';
import { RegisterMemberHandler } from './commands/register-member.js';
import { RemoveDeviceHandler } from './commands/remove-device.js';
import { RequestResetHandler } from './commands/request-reset.js';
import { RequestVerificationHandler } from './commands/request-verification.js';
import { ResetByMailHandler } from './commands/reset-by-mail.js';
import { SignInHandler } from './commands/sign-in.js';
import { SignOutHandler } from './commands/sign-out.js';
import { BrowserCookies } from './cookies.js';
import { Credentials } from './credentials.js';
import { DemoWord } from './demo-word.js';
import { Devices } from './devices.js';
import { DevicesController } from './devices.controller.js';
import { FirstAdmin } from './first-admin.js';
import { Housekeeping } from './housekeeping.js';
import { IdentityChanges } from './identity-changes.js';
import { LocalStrategy } from './local.strategy.js';
import { MailController } from './mail.controller.js';
import { MailDelivery } from './mail/mail-delivery.js';
import { MailTokens } from './mail/mail-tokens.js';
import { Mailer } from './mail/mailer.js';
import { OutgoingMails } from './mail/outgoing-mails.js';
import { MemberDirectory } from './member-directory.js';
import { GetCurrentUserHandler } from './queries/get-current-user.js';
import { ListDevicesHandler } from './queries/list-devices.js';
import { ListSecurityNoticesHandler } from './queries/list-security-notices.js';
import { SearchUsersHandler } from './queries/search-users.js';
import { OneTimeWords } from './one-time-words.js';
import { SecretChanges } from './secret-changes.js';
import { RecoveryAttempts } from './recovery-attempts.js';
import { SecretHashing } from './secret-hashing.js';
import { SecurityNotices } from './security-notices.js';
import { SecurityNoticesController } from './security-notices.controller.js';
import { SessionStrategy } from './session.strategy.js';
import { Sessions } from './sessions.js';
import { UsersController } from './users.controller.js';

/** Accounts, sessions, devices, recovery, and who is who. */
@Module({
  controllers: [
    AuthController,
    ChangePasswordController,
    DevicesController,
    MailController,
    SecurityNoticesController,
    UsersController,
  ],
  providers: [
    AccountSecrets,
    AdminRights,
    BecomeAdminHandler,
    BlockedEmails,
    BrowserCookies,
    ChangePasswordHandler,
    ConfirmAddressHandler,
    Credentials,
    DemoWord,
    Devices,
    DuplicateAddresses,
    FirstAdmin,
    GetCurrentUserHandler,
    Housekeeping,
    IdentityChanges,
    ListDevicesHandler,
    ListSecurityNoticesHandler,
    LocalStrategy,
    MailDelivery,
    MailTokens,
    Mailer,
    MarkNoticesSeenHandler,
    MemberDirectory,
    OneTimeWords,
    OutgoingMails,
    RecoverPasswordHandler,
    RecoveryAttempts,
    RegisterMemberHandler,
    RemoveDeviceHandler,
    RequestResetHandler,
    RequestVerificationHandler,
    ResetByMailHandler,
    SearchUsersHandler,
    SecretChanges,
    SecretHashing,
    SecurityNotices,
    SessionStrategy,
    Sessions,
    SignInHandler,
    SignOutHandler,
  ],
  exports: [
    AccountSecrets,
    AdminRights,
    BlockedEmails,
    BrowserCookies,
    Credentials,
    Devices,
    IdentityChanges,
    MemberDirectory,
    OneTimeWords,
    OutgoingMails,
    SecretChanges,
    SecretHashing,
    SecurityNotices,
    Sessions,
  ],
})
export class IdentityModule {}
