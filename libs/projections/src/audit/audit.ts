import type { LedgerEvent } from '@app/domain';
import type { BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { AppendTable } from '../tables/append-table.js';
import { writeTables } from '../tables/statements.js';

/** Everything that admins did, whichever stream tells it (rule admin-2). Amounts in minor units of NOVA. */
export const audit: ReadModel = {
  name: 'audit',
  version: 1,
  streamPrefixes: ['ledger', 'moderation-', 'quest-'],
  tables: ['audit'],
  ddl: `
    create table audit (
      position bigint not null,
      event_id uuid not null,
      admin_id text collate "C" not null,
      action text collate "C" not null,
      target_id text collate "C",
      subject_id text collate "C",
      amount bigint,
      rating double precision,
      reason_id text collate "C",
      at timestamptz not null
    );
  `,
  indexes: `
    alter table audit add primary key (position);
    create index audit_admin on audit (admin_id, position desc);
    create index audit_target on audit (target_id, position desc);
    create index audit_action on audit (action, position desc);
  `,
  createApplier: () => new AuditApplier(),
};

/** What an act is about, beside who did it and when. */
interface Act {
  readonly adminId: string;
  readonly action: string;
  readonly targetId: string | null;
  readonly subjectId: string | null;
  readonly amount: bigint | null;
  readonly rating: number | null;
  readonly reasonId: string | null;
}

class AuditApplier implements ReadModelApplier {
  private readonly rows = new AppendTable('audit', [
    ['position', 'bigint'],
    ['event_id', 'uuid'],
    ['admin_id', 'text'],
    ['action', 'text'],
    ['target_id', 'text'],
    ['subject_id', 'text'],
    ['amount', 'bigint'],
    ['rating', 'double precision'],
    ['reason_id', 'text'],
    ['at', 'timestamptz'],
  ]);

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    for (const event of events) {
      const act = actOf(event);
      if (!act) continue;
      const { position, id } = event.recorded;
      const { adminId, action, targetId, subjectId, amount, rating, reasonId } = act;
      this.rows.add([position, id, adminId, action, targetId, subjectId, amount, rating, reasonId, event.time]);
    }
    await writeTables(client, [this.rows], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.rows], 'all');
  }
}

function actOf({ ledger, moderation, quest }: ProjectedEvent): Act | undefined {
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
  const amount = 'amount' in event ? event.amount : null;
  const reasonId = cause?.startsWith(REASON) ? cause.slice(REASON.length) : null;
  const adminId = event.actor.slice(ADMIN.length);
  return { adminId, action, targetId: userId, subjectId: null, amount, rating: null, reasonId };
}
