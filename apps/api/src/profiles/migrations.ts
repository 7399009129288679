import type { SqlMigration } from '../platform/database/migrations.js';

/** What members say about themselves. Every text of theirs is here or in `accounts`, and goes with the account. */
export const profilesMigrations: readonly SqlMigration[] = [
  {
    name: 'profiles',
    sql: `
      create table profiles (
        account_id uuid primary key references accounts on delete cascade,
        bio text,
        location text,
        website text,
        mood text not null default 'blue',
        status text,
        occupation text,
        ambitions text,
        relationship_status text,
        card_content_id uuid
      );
    `,
  },
  {
    name: 'profiles_card_changes',
    // How many events of the card its row has followed: the later of two changes stays, whichever is written first.
    sql: `alter table profiles add card_changes integer not null default 0`,
  },
];
