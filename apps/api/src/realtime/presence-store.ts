import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';

/**
 * A process without a heartbeat for this long is gone, and so are its sockets. So is a process whose last heartbeat is
 * in the future: the database's clock was set back since.
 */
const IS_HEARD_OF = `pp.seen_at between now() - interval '5 seconds' and now() + interval '5 seconds'`;

/** SQL: the ids (`user_id`) of everybody who is connected somewhere. */
export const ONLINE_MEMBERS = `
  select distinct p.user_id from presence p join presence_process pp on pp.id = p.process_id
  where ${IS_HEARD_OF}`;

/** A member is shown online if they are connected and their setting is on (rule realtime-11). */
const ONLINE_AMONG = `
  select online.user_id as id
  from (${ONLINE_MEMBERS} and p.user_id = any($1::uuid[])) online
  left join chat_settings_directory s on s.account_id = online.user_id
  where coalesce(s.is_online, true)`;
/** Nobody learns when the other members come and go. */
const SHOWN_AMONG = `
  select id from unnest($1::uuid[]) as member(id)
  where not exists (select from chat_settings_directory s where s.account_id = id and not s.is_online)`;
const HEARTBEAT = `
  insert into presence_process (id) values ($1) on conflict (id) do update set seen_at = now()
  returning xmax = 0 as made`;
const ADD = `
  insert into presence (user_id, process_id) select id, $2 from unnest($1::uuid[]) as member(id) on conflict do nothing`;
const REMOVE = 'delete from presence where process_id = $2 and user_id = any($1::uuid[])';
/** Exactly one of the live processes finds each process that is gone. */
const TAKE_AWAY_GONE = `
  with gone as materialized (select pp.id from presence_process pp where not (${IS_HEARD_OF}) for update skip locked),
  members as materialized (select distinct p.user_id from presence p join gone on gone.id = p.process_id),
  taken as (delete from presence_process pp using gone where pp.id = gone.id)
  select user_id as id from members`;

/**
 * Which members have a socket at which process. A process that ended is recognised by its silence, however it ended.
 */
@Injectable()
export class PresenceStore {
  private readonly processId = randomUUID();

  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** True if the process is new here or was removed: then no members are listed for it. */
  async heartbeat(): Promise<boolean> {
    const { rows } = await this.pool.query<{ made: boolean }>(HEARTBEAT, [this.processId]);
    return rows[0]?.made === true;
  }

  /**
   * Removes processes that are gone. Returns the members who were connected there, even if they have reconnected
   * elsewhere.
   */
  async takeAwayGone(): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(TAKE_AWAY_GONE);
    return rows.map(({ id }) => id);
  }

  async add(memberIds: readonly string[]): Promise<void> {
    await this.pool.query(ADD, [memberIds, this.processId]);
  }

  async remove(memberIds: readonly string[]): Promise<void> {
    await this.pool.query(REMOVE, [memberIds, this.processId]);
  }

  /** The members among these whose setting is on, connected or not. */
  async shownAmong(memberIds: readonly string[]): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>({
      name: 'shown-among',
      text: SHOWN_AMONG,
      values: [memberIds],
    });
    return rows.map(({ id }) => id);
  }

  /** The members among these who are connected somewhere, however they are shown. */
  async connectedAmong(memberIds: readonly string[]): Promise<Set<string>> {
    const { rows } = await this.pool.query<{ user_id: string }>({
      name: 'connected-among',
      text: `${ONLINE_MEMBERS} and p.user_id = any($1::uuid[])`,
      values: [memberIds],
    });
    return new Set(rows.map(({ user_id }) => user_id));
  }

  async onlineAmong(memberIds: readonly string[]): Promise<Set<string>> {
    const { rows } = await this.pool.query<{ id: string }>({
      name: 'online-among',
      text: ONLINE_AMONG,
      values: [memberIds],
    });
    return new Set(rows.map(({ id }) => id));
  }
}
