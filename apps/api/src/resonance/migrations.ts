import type { SqlMigration } from '../platform/database/migrations.js';

export const resonanceMigrations: readonly SqlMigration[] = [];
