import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { AccessTokens } from './access-tokens.js';
import { ApplicationCalls } from './application-calls.js';
import { ApplicationCredentials } from './application-credentials.js';
import { ApplicationSecrets } from './application-secrets.js';
import { ApplicationWallets } from './application-wallets.js';
import { Applications } from './applications.js';
import { ApplicationsController } from './applications.controller.js';
import { CreateSecretHandler, RevokeSecretHandler } from './commands/change-secrets.js';
import { ChangeDailyLimitHandler } from './commands/change-daily-limit.js';
import { DecideConsentHandler } from './commands/decide-consent.js';
import { DecideDeviceHandler } from './commands/decide-device.js';
import { DeleteApplicationHandler } from './commands/delete-application.js';
import { RegenerateSecretHandler } from './commands/regenerate-secret.js';
import { RegisterApplicationHandler } from './commands/register-application.js';
import { RevokeConsentHandler } from './commands/revoke-consent.js';
import { UpdateApplicationHandler } from './commands/update-application.js';
import { ConsentingMembers } from './consenting-members.js';
import { Consents } from './consents.js';
import { ConsentsController } from './consents.controller.js';
import { DeviceCodes } from './device-codes.js';
import { OAuthDevicesController } from './devices.controller.js';
import { OAuthHousekeeping } from './oauth-housekeeping.js';
import { MemberClaims } from './provider/member-claims.js';
import { OAuthProvider } from './provider/oauth-provider.js';
import { GetClientInfoHandler } from './queries/get-client-info.js';
import { ListAuthorizedApplicationsHandler } from './queries/list-authorized-applications.js';
import { OwnApplications } from './own-applications.js';
import { OwnRecordsController } from './own-records.controller.js';
import { Registrations } from './registrations.js';
import { DecideTestConsentHandler } from './test-mode/decide-test-consent.js';
import { MakeTestSecretHandler } from './test-mode/make-test-secret.js';
import { TestClients } from './test-mode/test-clients.js';
import { TestConsentController } from './test-mode/test-consent.controller.js';
import { SecretsController } from './secrets.controller.js';

/** The OAuth provider, its applications and consents. */
@Module({
  imports: [IdentityModule],
  controllers: [
    ApplicationsController,
    ConsentsController,
    OAuthDevicesController,
    OwnRecordsController,
    SecretsController,
    TestConsentController,
  ],
  providers: [
    AccessTokens,
    ApplicationCalls,
    ApplicationCredentials,
    ApplicationSecrets,
    ApplicationWallets,
    Applications,
    ChangeDailyLimitHandler,
    ConsentingMembers,
    Consents,
    CreateSecretHandler,
    DecideConsentHandler,
    DecideDeviceHandler,
    DecideTestConsentHandler,
    DeleteApplicationHandler,
    DeviceCodes,
    GetClientInfoHandler,
    ListAuthorizedApplicationsHandler,
    MakeTestSecretHandler,
    MemberClaims,
    OAuthHousekeeping,
    OAuthProvider,
    OwnApplications,
    RegenerateSecretHandler,
    RegisterApplicationHandler,
    Registrations,
    RevokeConsentHandler,
    RevokeSecretHandler,
    TestClients,
    UpdateApplicationHandler,
  ],
  exports: [
    AccessTokens,
    ApplicationCalls,
    ApplicationCredentials,
    Applications,
    Consents,
    OAuthProvider,
    OwnApplications,
    TestClients,
  ],
})
export class OAuthModule {}
