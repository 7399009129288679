import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { OutgoingMails } from '../identity/mail/outgoing-mails.js';
import { Presence } from '../realtime/presence.js';
import type { NewPush } from './push/push.js';

/** Members who want such mails, and have no browser that a notification goes to. */
const TO_BE_MAILED = `
  select id from unnest($1::uuid[]) as member(id)
  where not exists (select from push_subscriptions s where s.account_id = member.id)
    and not exists (select from push_settings t where t.account_id = member.id and not t.mails)`;

/** Mails chat requests to members who are away and whom no notification reaches (rule notices-9). */
@Injectable()
export class RequestMails {
  constructor(
    private readonly mails: OutgoingMails,
    private readonly presence: Presence,
  ) {}

  /** In the transaction in which the requests are told. */
  async queue(client: PoolClient, pushes: readonly NewPush[]): Promise<void> {
    const now = Date.now();
    const asked = pushes.filter(({ kind, expiresAt }) => kind === 'chat_request' && expiresAt > now);
    const hosts = [...new Set(asked.map(({ memberId }) => memberId))];
    if (hosts.length === 0) return;
    const connected = await this.presence.areConnected(hosts);
    const away = hosts.filter((id) => !connected.has(id));
    const { rows } = await client.query<{ id: string }>(TO_BE_MAILED, [away]);
    const sql = { query: async (text: string, values: unknown[]) => (await client.query(text, values)).rows };
    for (const { id } of rows) await this.mails.request(sql, id);
  }
}
