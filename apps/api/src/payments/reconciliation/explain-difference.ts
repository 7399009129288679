import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { DollarAccount } from '@app/domain';
import { AdminReasons } from '../../admin/admin-reasons.js';
import { Moderation } from '../../admin/moderation.js';
import { type ByFinance, refuseControlled } from '../../finance/general-ledger/adjustments.js';
import { BooksStream } from '../../finance/general-ledger/books-stream.js';
import { ExplainSubject, type OpenBetween, postExplanation } from '../../finance/general-ledger/explanations.js';
import { AppError, notFound } from '../../platform/errors/app-error.js';
import { openBetween } from './provider-lines.js';
import type { ReconciledLine } from './reconciliation-lines.js';
import { Reconciling } from './reconciling.js';
import { isOfMoney, LINE_ID } from './verdicts.js';

export class ExplainDifference extends Command<ReconciledLine | undefined> {
  constructor(
    readonly lineId: string,
    /** The account that takes what is left over in the dollar books; by default the usual one. */
    readonly takenBy: DollarAccount | undefined,
    readonly by: ByFinance,
  ) {
    super();
  }
}

interface Told {
  readonly takenBy: DollarAccount | undefined;
  readonly by: ByFinance;
  readonly reasonId: string;
}

/** One act of explanation: the difference is settled in the reconciliation and in the dollar books (rule finance-11). */
@Injectable()
export class Explanations {
  constructor(
    private readonly reconciling: Reconciling,
    private readonly stream: BooksStream,
    private readonly reasons: AdminReasons,
    private readonly moderation: Moderation,
  ) {}

  /** Keeps the reason if the work explained anything. @returns whether it did */
  async withReason({ adminId, reason }: ByFinance, work: (reasonId: string) => Promise<boolean>): Promise<boolean> {
    const reasonId = await this.reasons.write({ adminId, userId: adminId, text: reason });
    const isExplained = await work(reasonId);
    if (!isExplained) await this.reasons.discard(reasonId);
    return isExplained;
  }

  /** Whoever comes second waits, and finds the line explained. @returns false if it is not flagged any more */
  ofLine(line: ReconciledLine, told: Told): Promise<boolean> {
    const { adminId, requestId } = told.by;
    const { reasonId } = told;
    return this.reconciling.lines.explain(line.subject, { adminId, reasonId }, async () => {
      const open = isOfMoney(line.code) ? openBetween(line) : undefined;
      if (open) await this.inBooks(open, told);
      const about = { targetId: line.subject, subjectId: null, reasonId };
      await this.moderation.record({ type: 'DifferenceExplained', adminId, ...about }, requestId);
    });
  }

  /** @returns false if nothing is open */
  async inBooks(open: OpenBetween, { takenBy, by, reasonId }: Told): Promise<boolean> {
    const { adminId, requestId } = by;
    const posted = await postExplanation(this.stream, open, takenBy, { adminId, requestId, reasonId });
    return posted.length > 0;
  }
}

/** Explains a flagged line of the reconciliation. */
@CommandHandler(ExplainDifference)
export class ExplainDifferenceHandler implements ICommandHandler<ExplainDifference> {
  constructor(
    private readonly reconciling: Reconciling,
    private readonly explanations: Explanations,
  ) {}

  /** @throws AppError 400, 404, 409 `NOT_FLAGGED`, 503 */
  async execute({ lineId, takenBy, by }: ExplainDifference): Promise<ReconciledLine | undefined> {
    refuseControlled(takenBy === undefined ? [] : [takenBy]);
    const { lines } = this.reconciling;
    const line = LINE_ID.test(lineId) ? await lines.find(lineId) : undefined;
    if (!line) throw notFound('This line');
    if (line.status !== 'flagged') throw notFlagged();
    const isExplained = await this.explanations.withReason(by, (reasonId) =>
      this.explanations.ofLine(line, { takenBy, by, reasonId }),
    );
    if (!isExplained) throw notFlagged();
    return lines.find(lineId);
  }
}

/** Explains what is open for a subject of the dollar books, and every flagged line that is about it. */
@CommandHandler(ExplainSubject)
export class ExplainSubjectHandler implements ICommandHandler<ExplainSubject> {
  constructor(
    private readonly reconciling: Reconciling,
    private readonly explanations: Explanations,
  ) {}

  /** @throws AppError 400, 404, 503 */
  async execute({ open, takenBy, by }: ExplainSubject): Promise<void> {
    refuseControlled(takenBy === undefined ? [] : [takenBy]);
    const isExplained = await this.explanations.withReason(by, async (reasonId) => {
      const told = { takenBy, by, reasonId };
      let isAny = await this.explanations.inBooks(open, told);
      for (const line of await this.flaggedAbout(open)) {
        if (await this.explanations.ofLine(line, told)) isAny = true;
      }
      return isAny;
    });
    if (!isExplained) throw new AppError(404, 'NOT_FOUND', 'Nothing is open for this subject.');
  }

  private async flaggedAbout({ account, subject }: OpenBetween): Promise<readonly ReconciledLine[]> {
    const flagged = await this.reconciling.lines.flaggedAbout(subject);
    return flagged.filter((line) => {
      const open = isOfMoney(line.code) ? openBetween(line) : undefined;
      return open?.account === account && open.subject === subject;
    });
  }
}

export const notFlagged = (): AppError =>
  new AppError(409, 'NOT_FLAGGED', 'This line is no longer flagged: somebody explained it, or it agrees now.');
