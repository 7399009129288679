import { Module } from '@nestjs/common';
import { ContentModule } from '../content/content.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { MembersModule } from '../members/members.module.js';
import { WalletModule } from '../wallet/wallet.module.js';
import { AdminModule } from './admin.module.js';
import { Audit } from './audit/audit.js';
import { AuditController } from './audit/audit.controller.js';
import { AdminContentController } from './content/admin-content.controller.js';
import { AdminContents } from './content/admin-contents.js';
import { AssignContentHandler } from './content/assign-content.js';
import { DeleteContentHandler } from './content/delete-content.js';
import { Overview } from './overview/overview.js';
import { OverviewController } from './overview/overview.controller.js';
import { Uptime } from './overview/uptime.js';
import { OrderRebuildHandler } from './read-models/order-rebuild.js';
import { ReadModelViews } from './read-models/read-model-views.js';
import { ReadModelsController } from './read-models/read-models.controller.js';
import { CloseReportHandler } from './reports/close-report.js';
import { Reports } from './reports/reports.js';
import { ReportsController } from './reports/reports.controller.js';

/** The parts of the Admin Panel beside members and money: content, reports, audit, figures over time. */
@Module({
  imports: [AdminModule, ContentModule, IdentityModule, MembersModule, WalletModule],
  controllers: [AdminContentController, ReportsController, AuditController, OverviewController, ReadModelsController],
  providers: [
    AdminContents,
    AssignContentHandler,
    Audit,
    CloseReportHandler,
    DeleteContentHandler,
    OrderRebuildHandler,
    Overview,
    ReadModelViews,
    Reports,
    Uptime,
  ],
})
export class AdminPanelModule {}
