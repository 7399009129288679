import { Injectable } from '@nestjs/common';
import { MINIMUM_CHAT_PRICE_DEFAULT, NOVA_PER_DOLLAR } from '@app/domain';
import type { Pool } from 'pg';
import { InjectPool } from '../platform/database/database.module.js';

/** A member's settings for chat requests (rule profiles-4). Members who never changed theirs have the defaults. */
export interface ChatSettings {
  readonly isOnline: boolean;
  readonly allowDirectChats: boolean;
  /** In US cents. */
  readonly minimumChatPriceCents: number;
}

const CHAT_SETTINGS_DEFAULT: ChatSettings = {
  isOnline: true,
  allowDirectChats: true,
  minimumChatPriceCents: MINIMUM_CHAT_PRICE_DEFAULT * 100,
};

interface Row {
  readonly account_id: string;
  readonly is_online: boolean;
  readonly allow_direct_chats: boolean;
  readonly cents: number;
}

const COLUMNS = `account_id, is_online, allow_direct_chats, (minimum_chat_price * 100)::integer as cents`;

/** Whether members can be asked for chats, and for how much. */
@Injectable()
export class ChatSettingsStore {
  constructor(@InjectPool() private readonly pool: Pool) {}

  async of(accountId: string): Promise<ChatSettings> {
    return (await this.find([accountId])).get(accountId) ?? CHAT_SETTINGS_DEFAULT;
  }

  /** The settings of these members, for those who have changed theirs. */
  async find(accountIds: readonly string[]): Promise<Map<string, ChatSettings>> {
    const { rows } = await this.pool.query<Row>({
      name: 'find chat settings',
      text: `select ${COLUMNS} from chat_settings where account_id = any($1::uuid[])`,
      values: [accountIds],
    });
    return new Map(rows.map((row) => [row.account_id, fromRow(row)]));
  }

  /** Changes the given settings, and returns all of them. */
  async change(accountId: string, changes: Partial<ChatSettings>): Promise<ChatSettings> {
    const { isOnline, allowDirectChats, minimumChatPriceCents } = CHAT_SETTINGS_DEFAULT;
    const { rows } = await this.pool.query<Row>(
      `insert into chat_settings as s (account_id, is_online, allow_direct_chats, minimum_chat_price)
       values ($1, coalesce($2::boolean, $5), coalesce($3::boolean, $6), coalesce($4::integer, $7) / 100.0)
       on conflict (account_id) do update set
         is_online = coalesce($2::boolean, s.is_online),
         allow_direct_chats = coalesce($3::boolean, s.allow_direct_chats),
         minimum_chat_price = coalesce($4::integer / 100.0, s.minimum_chat_price)
       returning ${COLUMNS}`,
      [
        accountId,
        changes.isOnline ?? null,
        changes.allowDirectChats ?? null,
        changes.minimumChatPriceCents ?? null,
        isOnline,
        allowDirectChats,
        minimumChatPriceCents,
      ],
    );
    const [row] = rows;
    if (!row) throw new Error('chat settings were not written');
    return fromRow(row);
  }
}

/** The price of a chat in minor units of NOVA: `minimumChatPrice` dollars × 1,250 Nova (rule chats-2). */
export const chatPrice = ({ minimumChatPriceCents }: ChatSettings): bigint =>
  BigInt(minimumChatPriceCents) * BigInt(NOVA_PER_DOLLAR);

const fromRow = (row: Row): ChatSettings => ({
  isOnline: row.is_online,
  allowDirectChats: row.allow_direct_chats,
  minimumChatPriceCents: row.cents,
});
