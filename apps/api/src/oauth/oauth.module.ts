import { Module } from '@nestjs/common';
import { AccessTokens } from './access-tokens.js';
import { Applications } from './applications.js';

/** The OAuth provider, its applications and consents (S1 §2.10–§2.12). */
@Module({
  providers: [AccessTokens, Applications],
  exports: [AccessTokens, Applications],
})
export class OAuthModule {}
