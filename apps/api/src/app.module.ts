import { type DynamicModule, Module } from '@nestjs/common';
import { IdentityModule } from './identity/identity.module.js';
import { PlatformModule, type PlatformParts } from './platform/platform.module.js';

/** One module a business area, on the platform that all share. */
@Module({})
export class AppModule {
  static register(parts: PlatformParts): DynamicModule {
    return { module: AppModule, imports: [PlatformModule.register(parts), IdentityModule] };
  }
}
