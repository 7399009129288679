import type { LedgerEvent } from '@app/domain';
import type { BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { writeTables } from '../tables/statements.js';
import { bigint, double, nullable, type RowOf, Table, tablesOf, text, timestamp, uuid } from '../tables/table.js';

const auditTable = new Table('audit', {
  columns: {
    position: bigint,
    eventId: uuid,
    adminId: text,
    action: text,
    targetId: nullable(text),
    subjectId: nullable(text),
    amount: nullable(bigint),
    rating: nullable(double),
    reasonId: nullable(text),
    at: timestamp,
  },
  key: ['position'],
  isKeyLast: true,
  indexes: {
    audit_admin: '(admin_id, position desc)',
    audit_target: '(target_id, position desc)',
    audit_action: '(action, position desc)',
  },
});

/** Everything that admins did, from all streams (rule admin-2). Amounts in minor units of NOVA. */
export const audit: ReadModel = {
  name: 'audit',
  version: 1,
  streamPrefixes: ['ledger', 'moderation-', 'quest-'],
  ...tablesOf(auditTable),
  createApplier: () => new AuditApplier(),
};

/** What an act is about, without the event that records it. */
type Act = Omit<RowOf<typeof auditTable>, 'position' | 'eventId' | 'at'>;

class AuditApplier implements ReadModelApplier {
  private readonly rows = new AppendTable(auditTable);

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    for (const event of events) {
      const act = actOf(event);
      if (!act) continue;
      const { position, id: eventId } = event.recorded;
      this.rows.add({ position, eventId, ...act, at: event.time });
    }
    await writeTables(client, [this.rows], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.rows], 'all');
  }
}

function actOf({ ledger, moderation, quest }: ProjectedEvent): Act | undefined {
  if (moderation?.type === 'WatchCrossed') return undefined;
  if (moderation) {
    const { type: action, adminId, targetId, subjectId, reasonId } = moderation;
    const rating = moderation.type === 'MemberRatingChanged' ? moderation.rating : null;
    return { adminId, action, targetId, subjectId, amount: null, rating, reasonId };
  }
  if (quest) {
    const { type: action, adminId, questId, reward } = quest;
    return { adminId, action, targetId: null, subjectId: questId, amount: reward, rating: null, reasonId: null };
  }
  return ledger ? actOfLedger(ledger) : undefined;
}

const ADMIN = 'admin:';
const REASON = 'reason:';

function actOfLedger(event: LedgerEvent): Act | undefined {
  if (!event.actor.startsWith(ADMIN) || !('userId' in event)) return undefined;
  const { type: action, cause, userId } = event;
  const moved = event.type === 'MovementReversed' ? event.returned : null;
  const amount = 'amount' in event ? event.amount : moved;
  const subjectId = 'originalId' in event ? event.originalId : null;
  const reasonId = cause?.startsWith(REASON) ? cause.slice(REASON.length) : null;
  const adminId = event.actor.slice(ADMIN.length);
  return { adminId, action, targetId: userId, subjectId, amount, rating: null, reasonId };
}
