import { adminMigrations, adminTables } from './admin/migrations.js';
import { chatsMigrations, chatsTables } from './chats/migrations.js';
import { contentMigrations, contentTables } from './content/migrations.js';
import { IDENTITY_ENTITIES } from './identity/entities.js';
import { projectionMigrations } from '@app/projections';
import { snapshotMigrations } from '@app/ledger';
import { identityMigrations, identityTables } from './identity/migrations.js';
import { wallTables } from './discovery/queries/wall.js';
import { membersTables } from './members/member-reports.js';
import { freshProofTables, passkeysMigrations, passkeysTables } from './passkeys/migrations.js';
import { noticesMigrations, noticesTables } from './notices/migrations.js';
import { oauthMigrations, oauthTables } from './oauth/migrations.js';
import { periodsMigrations, periodsTables } from './finance/periods/migrations.js';
import { checkpointsMigrations, checkpointsTables } from './finance/checkpoints/migrations.js';
import { paymentsMigrations, paymentsTables } from './payments/migrations.js';
import { profilesMigrations, profilesTables } from './profiles/migrations.js';
import { questsMigrations, questsTables } from './quests/migrations.js';
import { realtimeMigrations, realtimeTables } from './realtime/migrations.js';
import { resonanceMigrations, resonanceTables } from './resonance/migrations.js';
import { takeoutMigrations, takeoutTables } from './takeout/migrations.js';
import { keyUsesMigrations, keyUsesTables } from './platform/key-uses/migrations.js';
import { rateLimitMigrations, rateLimitTables } from './platform/rate-limit/migrations.js';
import { uploadsMigrations, uploadsTables } from './platform/uploads/migrations.js';
import { webhooksMigrations, webhooksTables } from './webhooks/migrations.js';
import { appMoneyMigrations, appMoneyTables } from './app-money/migrations.js';
import type { Schema } from './platform/database/data-source.js';
import type { AreaTables } from './platform/database/tables.js';

/**
 * Every part with tables of its own. A part's migrations are only ever added to, at the end; its `order` never changes,
 * because names made from it are what a database remembers.
 */
export const SCHEMA: Schema = {
  entities: IDENTITY_ENTITIES,
  areas: [
    { area: 'projections', order: 10, migrations: projectionMigrations },
    { area: 'snapshots', order: 20, migrations: snapshotMigrations },
    { area: 'identity', order: 30, migrations: identityMigrations },
    { area: 'payments', order: 40, migrations: paymentsMigrations },
    { area: 'admin', order: 50, migrations: adminMigrations },
    { area: 'chats', order: 60, migrations: chatsMigrations },
    { area: 'realtime', order: 70, migrations: realtimeMigrations },
    { area: 'uploads', order: 80, migrations: uploadsMigrations },
    { area: 'profiles', order: 90, migrations: profilesMigrations },
    { area: 'content', order: 100, migrations: contentMigrations },
    { area: 'resonance', order: 110, migrations: resonanceMigrations },
    { area: 'quests', order: 120, migrations: questsMigrations },
    { area: 'oauth', order: 130, migrations: oauthMigrations },
    { area: 'rate_limits', order: 140, migrations: rateLimitMigrations },
    { area: 'tokens', order: 150, migrations: appMoneyMigrations },
    { area: 'periods', order: 160, migrations: periodsMigrations },
    { area: 'key_uses', order: 170, migrations: keyUsesMigrations },
    { area: 'checkpoints', order: 180, migrations: checkpointsMigrations },
    { area: 'passkeys', order: 185, migrations: passkeysMigrations },
    { area: 'takeout', order: 190, migrations: takeoutMigrations },
    { area: 'notices', order: 200, migrations: noticesMigrations },
    { area: 'webhooks', order: 210, migrations: webhooksMigrations },
  ],
};

/** The owner of every table, in the order in which an account's rows are erased. */
export const AREA_TABLES: readonly AreaTables[] = [
  profilesTables,
  resonanceTables,
  chatsTables,
  wallTables,
  contentTables,
  oauthTables,
  appMoneyTables,
  takeoutTables,
  noticesTables,
  webhooksTables,
  passkeysTables,
  freshProofTables,
  identityTables,
  membersTables,
  adminTables,
  paymentsTables,
  questsTables,
  realtimeTables,
  periodsTables,
  checkpointsTables,
  uploadsTables,
  rateLimitTables,
  keyUsesTables,
];
