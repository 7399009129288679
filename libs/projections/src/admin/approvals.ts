import type { Approval } from '@app/domain';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { type Cached, CachedTable } from '../tables/cached-table.js';
import { writeTables } from '../tables/statements.js';
import { bigint, nullable, Table, tablesOf, text, textOf, timestamp } from '../tables/table.js';

const approvalsTable = new Table('approvals', {
  columns: {
    approvalId: text,
    kind: text,
    adminId: text,
    targetId: text,
    /** Minor units of NOVA. */
    amount: nullable(bigint),
    details: text,
    reasonId: nullable(text),
    requestedAt: timestamp,
    expiresAt: timestamp,
    status: textOf<Approval['status']>(),
    decidedBy: nullable(text),
    decidedAt: nullable(timestamp),
    /** Why it was declined. */
    decisionReasonId: nullable(text),
    eventId: nullable(text),
    refusal: nullable(text),
    message: nullable(text),
  },
  key: ['approvalId'],
  indexes: { approvals_newest: '(requested_at desc, approval_id)', approvals_status: '(status, requested_at)' },
});

/** Acts of admins that waited, or wait, for a second admin (rule admin-20). */
export const approvals: ReadModel = {
  name: 'approvals',
  version: 1,
  streamPrefixes: ['moderation-'],
  ...tablesOf(approvalsTable),
  createApplier: (options) => new ApprovalsApplier(options),
};

const UNDECIDED = { status: 'waiting', decidedBy: null, decidedAt: null, decisionReasonId: null } as const;
const UNENDED = { eventId: null, refusal: null, message: null };

class ApprovalsApplier implements ReadModelApplier {
  private readonly approvals: Cached<typeof approvalsTable>;

  constructor(options: ApplierOptions) {
    this.approvals = new CachedTable(approvalsTable, options);
  }

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    await this.approvals.load(
      client,
      events.flatMap(({ moderation }) => moderation?.subjectId ?? []),
    );
    for (const { moderation: event, time } of events) {
      if (!event || event.subjectId === null) continue;
      const { subjectId: id, adminId, reasonId } = event;
      if (event.type === 'ApprovalRequested') {
        const { kind, targetId, amount, details, expiresAt } = event;
        const request = { kind, adminId, targetId, amount, details, reasonId, requestedAt: time };
        this.approvals.set(id, {
          ...request,
          expiresAt: new Date(expiresAt).toISOString(),
          ...UNDECIDED,
          ...UNENDED,
        });
        continue;
      }
      const approval = this.approvals.get(id);
      if (!approval) continue;
      const decided = { decidedBy: adminId, decidedAt: time };
      if (event.type === 'ApprovalGiven') this.approvals.set(id, { ...approval, ...decided, status: 'approved' });
      if (event.type === 'ApprovalDeclined') {
        this.approvals.set(id, { ...approval, ...decided, status: 'declined', decisionReasonId: reasonId });
      }
      if (event.type === 'ApprovedActEnded') {
        const { eventId, refusal, message } = event;
        const status = refusal === null ? 'done' : 'refused';
        this.approvals.set(id, { ...approval, status, eventId, refusal, message });
      }
    }
    await writeTables(client, [this.approvals], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.approvals], 'all');
  }
}
