import type { SqlMigration } from '../platform/database/migrations.js';
import { type AreaTables, erasedBy } from '../platform/database/tables.js';
import { profilesTakeout } from './takeout.js';

/** What members say about themselves. All their texts are here or in `accounts`, and are deleted with the account. */
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
    // How many events of the card the row includes: the later of two changes stays, whichever is written first.
    sql: `alter table profiles add card_changes integer not null default 0`,
  },
  {
    name: 'profile_directory',
    sql: `
      create view profile_directory as
        select account_id, bio, mood, status, occupation, ambitions, relationship_status, card_content_id from profiles;
      create view chat_settings_directory as
        select account_id, is_online, allow_direct_chats, minimum_chat_price from chat_settings;
    `,
  },
];

export const profilesTables: AreaTables = {
  folder: 'profiles',
  tables: {
    profiles: erasedBy('profiles', 'account_id'),
    chat_settings: erasedBy('chat_settings', 'account_id'),
  },
  directories: ['profile_directory', 'chat_settings_directory'],
  takeout: profilesTakeout,
};
