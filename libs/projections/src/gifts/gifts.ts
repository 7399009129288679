import type { BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { DeltaTable } from '../tables/delta-table.js';
import { writeTables } from '../tables/statements.js';
import { bigint, idAsBytes, integer, nullable, Table, tablesOf, text, timestamp, uuid } from '../tables/table.js';

/**
 * A gift. Amounts in minor units; the influence share is what the recipient did not get. The order of the columns leaves no
 * gaps between them.
 */
export const gift = new Table('sent_gift', {
  columns: {
    createdAt: timestamp,
    amount: bigint,
    recipientShare: bigint,
    revision: integer,
    eventId: uuid,
    senderId: idAsBytes,
    recipientId: idAsBytes,
    clientId: nullable(text),
  },
  key: ['senderId', 'revision'],
  isKeyLast: true,
  indexes: { sent_gift_recipient: '(recipient_id, revision)' },
});

const giftMember = new Table('gift_total', {
  columns: { userId: text, sentCount: bigint, receivedCount: bigint, totalSent: bigint, totalReceived: bigint },
  key: ['userId'],
  fillfactor: 70,
});

/**
 * Every gift, and for each member the numbers and amounts sent and received. Amounts in minor units. Version 1.0.0 has its
 * own as `gifts`, in `gift` and `gift_member`.
 */
export const gifts: ReadModel = {
  name: 'sent_gifts',
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
      const { senderId, recipientId, amount, recipientShare, clientId = null } = ledger;
      this.gifts.add({
        revision: recorded.revision,
        eventId: recorded.id,
        senderId,
        recipientId,
        amount,
        recipientShare,
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
