import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { InjectPool } from '../platform/database/database.module.js';
import { NOTICES_MAX, NOTICES_TOLD_DAYS } from './limits.js';
import { OutgoingMails } from './mail/outgoing-mails.js';
import { type NoticeKind, type SecurityNotice, sentenceOf } from './security-notice.js';

/** A notice as its member gets it. */
export interface StoredNotice {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly message: string;
  readonly createdAt: Date;
  /** Nobody has seen it on this device yet. */
  readonly isUnseen: boolean;
}

const INSERT = `
  insert into security_notices (id, account_id, kind, facts, created_at) values ($1, $2, $3, $4, clock_timestamp())`;

const TOLD_WITHIN_A_DAY = `
  select from security_notices where account_id = $1 and kind = $2 and created_at > now() - interval '1 day' limit 1`;

const FORGET_OLDER = `
  delete from security_notices where account_id = $1 and id not in (
    select id from security_notices where account_id = $1 order by created_at desc, id desc limit $2)`;

/** A device gets no notice of itself, nor of long past events. */
const LIST = `
  select n.id, n.facts, n.created_at,
    coalesce(n.created_at > d.notices_seen_at, true)
      and n.created_at > now() - ${NOTICES_TOLD_DAYS} * interval '1 day'
      and n.facts ->> 'deviceId' is distinct from d.id::text as is_unseen
  from security_notices n left join devices d on d.id = $2 and d.account_id = $1
  where n.account_id = $1 order by n.created_at desc, n.id desc limit ${NOTICES_MAX}`;

const MARK_SEEN = `
  update devices d set notices_seen_at = greatest(d.notices_seen_at, n.created_at)
  from security_notices n where d.id = $2 and d.account_id = $1 and n.id = $3 and n.account_id = $1`;

interface NoticeRow {
  readonly id: string;
  readonly facts: SecurityNotice;
  readonly created_at: Date;
  readonly is_unseen: boolean;
}

/** A notice that was just stored. */
export interface ToldNotice {
  readonly id: string;
  readonly accountId: string;
  readonly notice: SecurityNotice;
}

export type SecurityNoticeListener = (manager: EntityManager, told: ToldNotice) => Promise<void>;

/** Whose notices, and on which of their devices. */
export interface NoticeReader {
  readonly id: string;
  readonly deviceId: string;
}

/**
 * Tells members of security events of their account: in the product, and by mail if their address is verified. Each
 * device has its own mark of what was seen, so somebody who signs in with a stolen password cannot hide the notices
 * from the owner.
 */
@Injectable()
export class SecurityNotices {
  private readonly listeners: SecurityNoticeListener[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly mails: OutgoingMails,
    @InjectPool() private readonly pool: Pool,
  ) {}

  /** The listener runs in the transaction that stores the notice. */
  onTold(listener: SecurityNoticeListener): void {
    this.listeners.push(listener);
  }

  /** @param manager of the transaction that the notice belongs to; one of its own where it is absent */
  async tell(accountId: string, notice: SecurityNotice, manager?: EntityManager): Promise<void> {
    if (!manager) return this.dataSource.transaction((own) => this.tell(accountId, notice, own));
    const id = uuidv7();
    await manager.query(INSERT, [id, accountId, notice.kind, notice]);
    for (const listener of this.listeners) await listener(manager, { id, accountId, notice });
    await manager.query(FORGET_OLDER, [accountId, NOTICES_MAX]);
    await this.mails.notice(manager, accountId, notice);
  }

  /** For events that a stranger can repeat: does nothing if the member got the notice within a day. */
  async tellOnceADay(accountId: string, notice: SecurityNotice): Promise<void> {
    const told: unknown[] = await this.dataSource.query(TOLD_WITHIN_A_DAY, [accountId, notice.kind]);
    if (told.length === 0) await this.tell(accountId, notice);
  }

  /** Newest first; all that are kept. */
  async list({ id, deviceId }: NoticeReader): Promise<StoredNotice[]> {
    const { rows } = await this.pool.query<NoticeRow>({ name: 'security-notices', text: LIST, values: [id, deviceId] });
    return rows.map((row) => ({
      id: row.id,
      kind: row.facts.kind,
      message: sentenceOf(row.facts),
      createdAt: row.created_at,
      isUnseen: row.is_unseen,
    }));
  }

  /** That notice and older ones have been seen on this device; one that is not there changes nothing. */
  async markSeen({ id, deviceId }: NoticeReader, noticeId: string): Promise<void> {
    await this.dataSource.query(MARK_SEEN, [id, deviceId, noticeId]);
  }
}
