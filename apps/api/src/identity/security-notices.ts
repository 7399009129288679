import { deviceName } from '@app/domain';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { NOTICES_MAX, NOTICES_TOLD_DAYS } from './limits.js';

/** What a member is told about the safety of their account. A new kind needs its sentence in `sentenceOf`, and no more. */
export type SecurityNotice =
  | { readonly kind: 'new_device'; readonly deviceId: string; readonly userAgent: string }
  | { readonly kind: 'recovered'; readonly by: 'pin' | 'mail' }
  | { readonly kind: 'password_changed'; readonly by: 'member' | 'admin' }
  | { readonly kind: 'pin_changed'; readonly by: 'member' | 'admin' }
  | { readonly kind: 'recovery_paused'; readonly hours: number }
  /** @param dailyLimit in Nova */
  | { readonly kind: 'spending_consent'; readonly application: string; readonly dailyLimit: number }
  | { readonly kind: 'passkey_added'; readonly name: string }
  | { readonly kind: 'passkey_removed'; readonly name: string }
  | {
      readonly kind: 'passkeys_after_recovery';
      readonly removed: readonly string[];
      readonly left: readonly string[];
    };

export type NoticeKind = SecurityNotice['kind'];

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

/** A device is not told of itself, nor of what is long past. */
const LIST = `
  select n.id, n.facts, n.created_at,
    coalesce(n.created_at > d.notices_seen_at, true)
      and n.created_at > now() - $3 * interval '1 day'
      and n.facts ->> 'deviceId' is distinct from d.id::text as is_unseen
  from security_notices n left join devices d on d.id = $2 and d.account_id = $1
  where n.account_id = $1 order by n.created_at desc, n.id desc limit $4`;

const MARK_SEEN = `
  update devices d set notices_seen_at = greatest(d.notices_seen_at, n.created_at)
  from security_notices n where d.id = $2 and d.account_id = $1 and n.id = $3 and n.account_id = $1`;

interface NoticeRow {
  readonly id: string;
  readonly facts: SecurityNotice;
  readonly created_at: Date;
  readonly is_unseen: boolean;
}

/** Whose notices, and on which of their devices. */
export interface NoticeReader {
  readonly id: string;
  readonly deviceId: string;
}

/**
 * Tells members what has happened to the safety of their account, in the product. What was seen is counted by device: somebody
 * who signs in with a stolen password cannot see the notices away for the owner.
 */
@Injectable()
export class SecurityNotices {
  constructor(private readonly dataSource: DataSource) {}

  /** @param manager of the transaction that the notice belongs to; a statement of its own where it is absent */
  async tell(accountId: string, notice: SecurityNotice, manager?: EntityManager): Promise<void> {
    const database = manager ?? this.dataSource.manager;
    await database.query(INSERT, [uuidv7(), accountId, notice.kind, notice]);
    await database.query(FORGET_OLDER, [accountId, NOTICES_MAX]);
  }

  /** For what a stranger can bring about again and again: nothing where the member was told of it within a day. */
  async tellOnceADay(accountId: string, notice: SecurityNotice): Promise<void> {
    const told: unknown[] = await this.dataSource.query(TOLD_WITHIN_A_DAY, [accountId, notice.kind]);
    if (told.length === 0) await this.tell(accountId, notice);
  }

  /** Newest first; all that are kept. */
  async list({ id, deviceId }: NoticeReader): Promise<StoredNotice[]> {
    const rows: NoticeRow[] = await this.dataSource.query(LIST, [id, deviceId, NOTICES_TOLD_DAYS, NOTICES_MAX]);
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

/** What a notice says, on the screen and in a mail. Names in it are as members typed them. */
export function sentenceOf(notice: SecurityNotice): string {
  switch (notice.kind) {
    case 'new_device':
      return `A new device signed in to your account: ${deviceName(notice.userAgent)}.`;
    case 'recovered':
      return notice.by === 'pin'
        ? 'Your password was reset with your recovery PIN. All sessions were signed out.'
        : 'Your password was reset with a link sent by mail. All sessions were signed out.';
    case 'password_changed':
      return notice.by === 'member' ? 'Your password was changed.' : 'An admin set a new password for your account.';
    case 'pin_changed':
      return notice.by === 'member'
        ? 'Your recovery PIN was changed.'
        : 'An admin set a new recovery PIN for your account.';
    case 'recovery_paused':
      return `Somebody entered wrong recovery PINs for your account. Recovery by PIN is paused for ${hours(notice.hours)}.`;
    case 'spending_consent':
      return `You allowed “${notice.application}” to spend up to ${notice.dailyLimit.toLocaleString('en')} Nova a day for you.`;
    case 'passkey_added':
      return `The passkey “${notice.name}” was added to your account.`;
    case 'passkey_removed':
      return `The passkey “${notice.name}” was removed from your account.`;
    case 'passkeys_after_recovery':
      return [
        ...(notice.removed.length === 0 ? [] : [`The reset removed your newest passkeys: ${quoted(notice.removed)}.`]),
        notice.left.length === 0
          ? 'No passkey is left.'
          : `These passkeys still work: ${quoted(notice.left)}. In your settings, remove any that is not yours.`,
      ].join(' ');
  }
}

const quoted = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(', ');

const hours = (count: number): string => (count === 1 ? 'an hour' : `${count} hours`);
