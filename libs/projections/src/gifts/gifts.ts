import type { BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { DeltaTable } from '../tables/delta-table.js';
import { writeTables } from '../tables/statements.js';
import { bigint, nullable, safeInteger, Table, tablesOf, text, timestamp, uuid } from '../tables/table.js';

/** A gift. Amounts in minor units. */
export const gift = new Table('gift', {
  columns: {
    revision: safeInteger,
    eventId: uuid,
    senderId: text,
    recipientId: text,
    amount: bigint,
    recipientShare: bigint,
    influenceShare: bigint,
    clientId: nullable(text),
    createdAt: timestamp,
  },
  key: ['revision'],
  isKeyLast: true,
  indexes: { gift_sender: '(sender_id, revision)', gift_recipient: '(recipient_id, revision)' },
});

const giftMember = new Table('gift_member', {
  columns: { userId: text, sentCount: bigint, receivedCount: bigint, totalSent: bigint, totalReceived: bigint },
  key: ['userId'],
  fillfactor: 70,
});

/** Every gift, and for each member the numbers and amounts sent and received. Amounts in minor units. */
export const gifts: ReadModel = {
  name: 'gifts',
  version: 1,
  streamPrefixes: ['ledger'],
  ...tablesOf(gift, giftMember),
  createApplier: () => new GiftsApplier(),
};

class GiftsApplier implements ReadModelApplier {
  private readonly gifts = new AppendTable(gift);
  private readonly members = new DeltaTable(giftMember);

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    for (const { recorded, ledger, time } of events) {
      if (ledger?.type !== 'GiftSent') continue;
      const { senderId, recipientId, amount, recipientShare, influenceShare, clientId = null } = ledger;
      this.gifts.add({
        revision: recorded.revision,
        eventId: recorded.id,
        senderId,
        recipientId,
        amount,
        recipientShare,
        influenceShare,
        clientId,
        createdAt: time,
      });
      this.members.addAll(senderId, { sentCount: 1n, totalSent: amount });
      this.members.addAll(recipientId, { receivedCount: 1n, totalReceived: recipientShare });
    }
    await writeTables(client, [this.gifts, this.members], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.gifts, this.members], 'all');
  }
}
