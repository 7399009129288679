import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { BlockedMembersController } from './blocked-members.controller.js';
import { RelateHandler } from './commands/relate.js';
import { ReportMemberHandler } from './commands/report-member.js';
import { FollowsErasure, MemberRelations, MemberStore } from './member-relations.js';
import { MemberReports } from './member-reports.js';
import { MembersController } from './members.controller.js';
import { ListBlockedMembersHandler } from './queries/list-blocked-members.js';

/** Following, blocking and reporting. */
@Module({
  imports: [IdentityModule],
  controllers: [BlockedMembersController, MembersController],
  providers: [
    FollowsErasure,
    MemberStore,
    MemberRelations,
    MemberReports,
    ListBlockedMembersHandler,
    RelateHandler,
    ReportMemberHandler,
  ],
  exports: [MemberRelations, MemberReports, MemberStore],
})
export class MembersModule {}
