import type { BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { DeltaTable } from '../tables/delta-table.js';
import { writeTables } from '../tables/statements.js';

/** Every gift, and per member how many were sent and received and how much. Amounts in minor units. */
export const gifts: ReadModel = {
  name: 'gifts',
  version: 1,
  streamPrefixes: ['ledger'],
  tables: ['gift', 'gift_member'],
  ddl: `
    create table gift (
      revision bigint not null,
      event_id uuid not null,
      sender_id text collate "C" not null,
      recipient_id text collate "C" not null,
      amount bigint not null,
      recipient_share bigint not null,
      influence_share bigint not null,
      client_id text collate "C",
      created_at timestamptz not null
    );
    create table gift_member (
      user_id text collate "C" primary key,
      sent_count bigint not null,
      received_count bigint not null,
      total_sent bigint not null,
      total_received bigint not null
    ) with (fillfactor = 70);
  `,
  indexes: `
    alter table gift add primary key (revision);
    create index gift_sender on gift (sender_id, revision);
    create index gift_recipient on gift (recipient_id, revision);
  `,
  createApplier: () => new GiftsApplier(),
};

class GiftsApplier implements ReadModelApplier {
  private readonly gifts = new AppendTable('gift', [
    ['revision', 'bigint'],
    ['event_id', 'uuid'],
    ['sender_id', 'text'],
    ['recipient_id', 'text'],
    ['amount', 'bigint'],
    ['recipient_share', 'bigint'],
    ['influence_share', 'bigint'],
    ['client_id', 'text'],
    ['created_at', 'timestamptz'],
  ]);
  private readonly members = new DeltaTable({
    table: 'gift_member',
    key: [['user_id', 'text']],
    sums: [
      ['sent_count', 'bigint'],
      ['received_count', 'bigint'],
      ['total_sent', 'bigint'],
      ['total_received', 'bigint'],
    ],
  });

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    for (const { recorded, ledger, time } of events) {
      if (ledger?.type !== 'GiftSent') continue;
      const { senderId, recipientId, amount, recipientShare, influenceShare, clientId = null } = ledger;
      const { revision, id } = recorded;
      this.gifts.add([revision, id, senderId, recipientId, amount, recipientShare, influenceShare, clientId, time]);
      this.members.addAll(senderId, [1n, 0n, amount, 0n]);
      this.members.addAll(recipientId, [0n, 1n, 0n, recipientShare]);
    }
    await writeTables(client, [this.gifts, this.members], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.gifts, this.members], 'all');
  }
}
