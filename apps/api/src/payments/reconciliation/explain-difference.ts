import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AdminReasons } from '../../admin/admin-reasons.js';
import { Moderation } from '../../admin/moderation.js';
import { AppError, notFound } from '../../platform/errors/app-error.js';
import type { ReconciledLine } from './reconciliation-lines.js';
import { Reconciling } from './reconciling.js';
import { LINE_ID } from './verdicts.js';

interface Explanation {
  readonly adminId: string;
  readonly reason: string;
  readonly requestId: string;
}

export class ExplainDifference extends Command<ReconciledLine | undefined> {
  constructor(
    readonly subject: string,
    readonly explanation: Explanation,
  ) {
    super();
  }
}

/** Explains a flagged difference. */
@CommandHandler(ExplainDifference)
export class ExplainDifferenceHandler implements ICommandHandler<ExplainDifference> {
  constructor(
    private readonly reconciling: Reconciling,
    private readonly reasons: AdminReasons,
    private readonly moderation: Moderation,
  ) {}

  /** @throws AppError 404, 409 `NOT_FLAGGED`, 503 */
  async execute({ subject, explanation }: ExplainDifference): Promise<ReconciledLine | undefined> {
    const { adminId, reason, requestId } = explanation;
    const { lines } = this.reconciling;
    const line = LINE_ID.test(subject) ? await lines.find(subject) : undefined;
    if (!line) throw notFound('This line');
    if (line.status !== 'flagged') throw notFlagged();
    const reasonId = await this.reasons.write({ adminId, userId: adminId, text: reason });
    const act = { type: 'DifferenceExplained', adminId, targetId: subject, subjectId: null, reasonId } as const;
    const isTaken = await lines.explain(subject, { adminId, reasonId }, () => this.moderation.record(act, requestId));
    if (!isTaken) {
      await this.reasons.discard(reasonId);
      throw notFlagged();
    }
    return lines.find(subject);
  }
}

export const notFlagged = (): AppError =>
  new AppError(409, 'NOT_FLAGGED', 'This line is no longer flagged: somebody explained it, or it agrees now.');
