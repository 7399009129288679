import { type DynamicModule, Module } from '@nestjs/common';
import { AdminModule } from './admin/admin.module.js';
import { GiftsModule } from './gifts/gifts.module.js';
import { IdentityModule } from './identity/identity.module.js';
import { PaymentsModule } from './payments/payments.module.js';
import { PlatformModule, type PlatformParts } from './platform/platform.module.js';
import { ProfilesModule } from './profiles/profiles.module.js';
import { WalletModule } from './wallet/wallet.module.js';

/** One module a business area, on the platform that all share. */
@Module({})
export class AppModule {
  static register(parts: PlatformParts): DynamicModule {
    const areas = [IdentityModule, WalletModule, PaymentsModule, GiftsModule, AdminModule, ProfilesModule];
    return { module: AppModule, imports: [PlatformModule.register(parts), ...areas] };
  }
}
