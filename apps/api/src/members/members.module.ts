import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { RelateHandler } from './commands/relate.js';
import { ReportMemberHandler } from './commands/report-member.js';
import { MemberRelations } from './member-relations.js';
import { MemberReports } from './member-reports.js';
import { MemberStore } from './member-store.js';
import { MembersController } from './members.controller.js';

/** Following, blocking and reporting. */
@Module({
  imports: [IdentityModule],
  controllers: [MembersController],
  providers: [MemberStore, MemberRelations, MemberReports, RelateHandler, ReportMemberHandler],
  exports: [MemberRelations, MemberStore],
})
export class MembersModule {}
