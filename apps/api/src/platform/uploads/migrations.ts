import type { SqlMigration } from '../database/migrations.js';

export const uploadsMigrations: readonly SqlMigration[] = [];
