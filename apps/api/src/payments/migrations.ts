import { SANDBOX_BALANCE_SQL, SANDBOX_SCHEMA_SQL } from '@app/stripe-stand-in';
import type { SqlMigration } from '../platform/database/migrations.js';
import { PAYMENTS_SCHEMA_SQL } from './payments-schema.js';
import { EXPLAINED_CODE_SQL, RECONCILIATION_SCHEMA_SQL } from './reconciliation/reconciliation-schema.js';

export const paymentsMigrations: readonly SqlMigration[] = [
  { name: 'payments', sql: PAYMENTS_SCHEMA_SQL },
  { name: 'sandbox', sql: SANDBOX_SCHEMA_SQL },
  { name: 'sandbox_balance', sql: SANDBOX_BALANCE_SQL },
  { name: 'reconciliation', sql: RECONCILIATION_SCHEMA_SQL },
  { name: 'reconciliation_explained_code', sql: EXPLAINED_CODE_SQL },
];
