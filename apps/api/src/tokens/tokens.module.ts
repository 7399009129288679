import { Module } from '@nestjs/common';

/** What applications do for members with a bearer token, and the wallets of applications (S1 §7). */
@Module({})
export class TokensModule {}
