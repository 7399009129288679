import { Global, Module } from '@nestjs/common';

/** Files that members bring. */
@Global()
@Module({})
export class UploadsModule {}
