import type { SqlMigration } from '../platform/database/migrations.js';
import { type AreaTables, erasedBy } from '../platform/database/tables.js';
import { resonanceTakeout } from './takeout.js';

/** Members' Resonance profiles. They are deleted with the account. */
export const resonanceMigrations: readonly SqlMigration[] = [
  {
    name: 'resonance_profiles',
    // The scores are in the order of rule resonance-2, which is that of `AFFINITY_TRAITS`.
    sql: `
      create table resonance_profiles (
        account_id uuid primary key references accounts on delete cascade,
        horizon text not null check (horizon in ('short_term', 'midterm', 'long_term')),
        scores numeric(4, 1)[] not null
          check (cardinality(scores) = 15 and 0 <= all (scores) and 100 >= all (scores)),
        current_traits text[] not null check (cardinality(current_traits) <= 20),
        ideal_traits text[] not null check (cardinality(ideal_traits) <= 20),
        updated_at timestamptz not null default clock_timestamp()
      );
    `,
  },
];

export const resonanceTables: AreaTables = {
  folder: 'resonance',
  tables: {
    resonance_profiles: erasedBy('resonance_profiles', 'account_id'),
  },
  takeout: resonanceTakeout,
};
