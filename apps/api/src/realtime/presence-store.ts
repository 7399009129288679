import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';

/** A process that was not heard of for so long is gone, and its sockets with it. */
const PROCESS_EXPIRES = `interval '15 seconds'`;
const PROCESS_FORGOTTEN = `interval '1 minute'`;

/** SQL: the ids (`user_id`) of everybody who is connected somewhere. */
export const ONLINE_MEMBERS = `
  select distinct p.user_id from presence p join presence_process pp on pp.id = p.process_id
  where pp.seen_at > now() - ${PROCESS_EXPIRES}`;

/** `decisions.md`, Realtime: shown online is connected, and the setting is on. */
const ONLINE_AMONG = `
  select online.user_id as id
  from (${ONLINE_MEMBERS} and p.user_id = any($1::uuid[])) online
  left join chat_settings s on s.account_id = online.user_id
  where coalesce(s.is_online, true)`;
const HEARTBEAT = `
  insert into presence_process (id) values ($1) on conflict (id) do update set seen_at = now()
  returning xmax = 0 as made`;
const ADD = `
  insert into presence (user_id, process_id) select id, $2 from unnest($1::uuid[]) as member(id) on conflict do nothing`;
const REMOVE = 'delete from presence where process_id = $2 and user_id = any($1::uuid[])';

/** Which members have a socket, at which process. A process that was killed is found out by its silence. */
@Injectable()
export class PresenceStore {
  private readonly processId = randomUUID();

  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** True when the process is new here, or was forgotten: then nobody is listed for it. */
  async heartbeat(): Promise<boolean> {
    const { rows } = await this.pool.query<{ made: boolean }>(HEARTBEAT, [this.processId]);
    return rows[0]?.made === true;
  }

  /** Takes away processes that are long gone. */
  async sweep(): Promise<void> {
    await this.pool.query(`delete from presence_process where seen_at < now() - ${PROCESS_FORGOTTEN}`);
  }

  async add(memberIds: readonly string[]): Promise<void> {
    await this.pool.query(ADD, [memberIds, this.processId]);
  }

  async remove(memberIds: readonly string[]): Promise<void> {
    await this.pool.query(REMOVE, [memberIds, this.processId]);
  }

  async leave(): Promise<void> {
    await this.pool.query('delete from presence_process where id = $1', [this.processId]);
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
