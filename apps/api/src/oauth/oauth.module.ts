import { Module } from '@nestjs/common';

/** The OAuth provider, its applications and consents (S1 §2.10–§2.12). */
@Module({})
export class OAuthModule {}
