import { Module } from '@nestjs/common';
import type { EventStore } from '@app/event-store';
import { IdentityModule } from '../identity/identity.module.js';
import { EVENT_STORE } from '../platform/journal/tokens.js';
import type { OpenLedger } from '../platform/ledger/open-ledger.js';
import { OPEN_LEDGER } from '../platform/ledger/tokens.js';
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
  providers: [
    {
      provide: MemberStore,
      inject: [EVENT_STORE, OPEN_LEDGER],
      useFactory: (store: EventStore, { clock }: OpenLedger) => new MemberStore({ store, clock }),
    },
    MemberRelations,
    MemberReports,
    RelateHandler,
    ReportMemberHandler,
  ],
  exports: [MemberRelations],
})
export class MembersModule {}
