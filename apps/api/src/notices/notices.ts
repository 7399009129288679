import { isolated } from '@app/domain';
import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { DELETED_MEMBER, MemberDirectory } from '../identity/member-directory.js';
import { InjectPool } from '../platform/database/database.module.js';
import { NOTICES_KEPT_DAYS, NOTICES_KEPT_MAX } from './limits.js';
import { type NewNotice, type NoticeFacts, type NoticeKind, textOf } from './notice.js';

/** Postgres tells every process on this channel whose notices changed: ids of accounts with commas between. */
export const NOTICES_CHANNEL = 'nova_notices';
/** Ids in one notification, which may have 8,000 bytes. */
const IDS_MAX = 200;

/** A notice as its member gets it. */
export interface ShownNotice {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly title: string;
  readonly text: string;
  readonly path: string;
  readonly createdAt: Date;
  readonly isRead: boolean;
}

/** Which notices were read: up to one of them, of one chat, or both. */
export interface ReadNotices {
  readonly newestId?: string | undefined;
  readonly chatId?: string | undefined;
}

interface NoticeRow {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly facts: NoticeFacts;
  readonly created_at: Date;
  readonly is_read: boolean;
  readonly quest: string | null;
  readonly application: string | null;
}

const ADD = `
  insert into notices (id, account_id, source, kind, facts, created_at)
  select n.id, n.account_id, n.source, n.kind, n.facts, n.created_at
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::jsonb[], $6::timestamptz[])
      as n(id, account_id, source, kind, facts, created_at)
    join member_directory m on m.id = n.account_id and m.closed_at is null
  on conflict (account_id, source) do nothing
  returning account_id`;

const LIST = `
  select n.id, n.kind, n.facts, n.created_at, n.is_read, q.title as quest, a.name as application
  from notices n left join quest_directory q on q.id::text = n.facts ->> 'questId'
    left join application_directory a on a.client_id = n.facts ->> 'clientId'
  where n.account_id = $1 and n.created_at > now() - $2 * interval '1 day' order by n.id desc limit $3`;

const UNREAD = `
  select count(*)::int as unread from (
    select is_read from notices
    where account_id = $1 and created_at > now() - $2 * interval '1 day' order by id desc limit $3) kept
  where not is_read`;

const MARK_READ = `
  update notices set is_read = true
  where account_id = $1 and ($2::uuid is null or id <= $2) and ($3::text is null or facts ->> 'chatId' = $3)
    and not is_read`;

const FORGET = `
  delete from notices n using unnest($1::uuid[]) as a(id)
  where n.account_id = a.id and n.id <= (
    select k.id from notices k where k.account_id = a.id order by k.id desc offset $2 limit 1)`;

/** What members are told of their account: kept, read once for all of a member's devices (rules notices-1, notices-3). */
@Injectable()
export class Notices {
  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly directory: MemberDirectory,
  ) {}

  /** Newest first; all that are kept. */
  async list(memberId: string): Promise<ShownNotice[]> {
    const { rows } = await this.pool.query<NoticeRow>(LIST, [memberId, NOTICES_KEPT_DAYS, NOTICES_KEPT_MAX]);
    const others = await this.directory.find(rows.flatMap(({ facts }) => facts.otherId ?? []));
    return rows.map(({ id, kind, facts, created_at, is_read, quest, application }) => {
      const other = isolated(others.get(facts.otherId ?? '')?.displayName ?? DELETED_MEMBER);
      return {
        id,
        kind,
        ...textOf(kind, facts, { other, quest, application }),
        createdAt: created_at,
        isRead: is_read,
      };
    });
  }

  async unread(memberId: string): Promise<number> {
    const values = [memberId, NOTICES_KEPT_DAYS, NOTICES_KEPT_MAX];
    const { rows } = await this.pool.query<{ unread: number }>({ name: 'unread notices', text: UNREAD, values });
    return rows[0]?.unread ?? 0;
  }

  /** That notice and older ones have been read, or those of the chat; a later one has not. */
  async markRead(memberId: string, { newestId, chatId }: ReadNotices): Promise<void> {
    const { rowCount } = await this.pool.query(MARK_READ, [memberId, newestId ?? null, chatId ?? null]);
    if (rowCount) await announce(this.pool, [memberId]);
  }

  /** Removes what these members have too much of. */
  async forget(memberIds: readonly string[]): Promise<void> {
    await this.pool.query(FORGET, [memberIds, NOTICES_KEPT_MAX]);
  }

  /** Removes what is too old. */
  async sweep(): Promise<void> {
    await this.pool.query(`delete from notices where created_at < now() - $1 * interval '1 day'`, [NOTICES_KEPT_DAYS]);
  }
}

/** For transactions of any library. */
export type Run = (sql: string, values: unknown[]) => Promise<unknown>;

/** Writes notices in the caller's transaction, and tells the members' pages once it is committed. One that is there already stays. */
export async function addNotices(run: Run, notices: readonly NewNotice[]): Promise<void> {
  if (notices.length === 0) return;
  await run(ADD, [
    notices.map(() => uuidv7()),
    notices.map(({ memberId }) => memberId),
    notices.map(({ source }) => source),
    notices.map(({ kind }) => kind),
    notices.map(({ facts }) => JSON.stringify(facts)),
    notices.map(({ at }) => new Date(at)),
  ]);
  await announce({ query: run }, [...new Set(notices.map(({ memberId }) => memberId))]);
}

async function announce(client: { query: Run }, memberIds: readonly string[]): Promise<void> {
  for (let from = 0; from < memberIds.length; from += IDS_MAX) {
    const ids = memberIds.slice(from, from + IDS_MAX).join(',');
    await client.query('select pg_notify($1, $2)', [NOTICES_CHANNEL, ids]);
  }
}
