import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';
import { PUSH_KINDS, type PushKind } from './push.js';
import type { QuietHours } from './quiet-hours.js';

export interface PushChoices {
  /** What the member is notified of. */
  readonly kinds: readonly PushKind[];
  /** Names and texts on locked screens. */
  readonly showsText: boolean;
  /** A mail for a chat request while the member is away. */
  readonly mails: boolean;
  readonly quietHours: QuietHours | null;
}

/** Columns of a member's row. */
export interface QuietColumns {
  readonly quiet_from: number | null;
  readonly quiet_to: number | null;
  readonly time_zone: string;
}

interface Row extends QuietColumns {
  readonly off_kinds: readonly string[];
  readonly shows_text: boolean;
  readonly mails: boolean;
}

export const quietHoursOf = ({
  quiet_from: from,
  quiet_to: to,
  time_zone: timeZone,
}: QuietColumns): QuietHours | null => (from === null || to === null ? null : { from, to, timeZone });

const SAVE = `
  insert into push_settings (account_id, off_kinds, shows_text, mails, quiet_from, quiet_to, time_zone)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (account_id) do update set off_kinds = excluded.off_kinds, shows_text = excluded.shows_text,
    mails = excluded.mails, quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, time_zone = excluded.time_zone`;

/** What a member wants to be notified of, and when (rule notices-7). Everything, always, until they choose. */
@Injectable()
export class PushSettings {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  async of(memberId: string): Promise<PushChoices> {
    const { rows } = await this.pool.query<Row>('select * from push_settings where account_id = $1', [memberId]);
    const [row] = rows;
    if (!row) return { kinds: PUSH_KINDS, showsText: false, mails: true, quietHours: null };
    const { off_kinds, shows_text: showsText, mails } = row;
    const kinds = PUSH_KINDS.filter((kind) => !off_kinds.includes(kind));
    return { kinds, showsText, mails, quietHours: quietHoursOf(row) };
  }

  async save(memberId: string, { kinds, showsText, mails, quietHours }: PushChoices): Promise<void> {
    await this.pool.query(SAVE, [
      memberId,
      PUSH_KINDS.filter((kind) => !kinds.includes(kind)),
      showsText,
      mails,
      quietHours?.from ?? null,
      quietHours?.to ?? null,
      quietHours?.timeZone ?? 'UTC',
    ]);
  }
}
