import { SANDBOX_BALANCE_SQL, SANDBOX_SCHEMA_SQL } from '@app/stripe-stand-in';
import type { SqlMigration } from '../platform/database/migrations.js';
import type { AreaTables } from '../platform/database/tables.js';
import { PAYMENT_DIRECTORY_SQL, PAYMENTS_SCHEMA_SQL } from './payments-schema.js';
import { EXPLAINED_CODE_SQL, RECONCILIATION_SCHEMA_SQL } from './reconciliation/reconciliation-schema.js';

export const paymentsMigrations: readonly SqlMigration[] = [
  { name: 'payments', sql: PAYMENTS_SCHEMA_SQL },
  { name: 'sandbox', sql: SANDBOX_SCHEMA_SQL },
  { name: 'sandbox_balance', sql: SANDBOX_BALANCE_SQL },
  { name: 'reconciliation', sql: RECONCILIATION_SCHEMA_SQL },
  { name: 'reconciliation_explained_code', sql: EXPLAINED_CODE_SQL },
  { name: 'payment_directory', sql: PAYMENT_DIRECTORY_SQL },
];

export const paymentsTables: AreaTables = {
  folder: 'payments',
  tables: {
    payment: { kept: 'Real money was paid: the books need it.' },
    payment_reversal: 'nobody',
    reconciliation_run: { kept: 'Which admin looked stays.' },
    reconciliation_line: { kept: 'Which admin explained it stays.' },
  },
  directories: ['payment_directory'],
};
