import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { amountWaits, novaText } from '@app/domain';
import type { CommandOutcome, Ledger } from '@app/ledger';
import { derivedId } from '../../platform/derived-id.js';
import { AppError } from '../../platform/errors/app-error.js';
import { expectAccepted, rejectionError } from '../../platform/errors/rejections.js';
import { LEDGER } from '../../platform/ledger/injected-ledger.js';
import { REASON_CAUSE } from '../../wallet/event-details.js';
import { ReadModels } from '../../wallet/read-models.js';
import { AdminReasons } from '../admin-reasons.js';
import { Approvals, type ApprovedAct, type DoneAct } from '../approvals/approvals.js';
import type { WaitingActDto } from '../approvals/approvals.dto.js';
import { ControlSettings } from '../controls/controls.js';
import { type BulkBatch, BulkBatches, type RowOutcome } from './bulk-batches.js';
import type { ApplyBulkGrantsDto, BulkResultDto } from './bulk-grants.dto.js';
import { WaitingFiles } from './waiting-files.js';
import { type GrantPlan, GrantPlans, type PlannedRow, readyRow, refusalOf, renderRows } from './grant-plan.js';

export class ApplyBulkGrants extends Command<BulkResultDto | WaitingActDto> {
  constructor(
    readonly request: ApplyBulkGrantsDto,
    readonly adminId: string,
    readonly requestId: string,
  ) {
    super();
  }
}

/** The kind of act that waits for a second admin. */
const KIND = 'bulk';

/** Who grants, in which request; of an approved file its act. */
type ByRequest = Pick<ApplyBulkGrants, 'adminId' | 'requestId'>;

interface Applied {
  readonly outcomes: readonly RowOutcome[];
  /** The last revision, to wait for. */
  readonly revision: number;
}

/**
 * Grants a file: all rows in one append or none (`atomic`), or every row that can be granted (`each`). The batch's id is
 * the key: a batch that was interrupted anywhere is finished by sending it again, and nothing of it happens twice.
 */
@CommandHandler(ApplyBulkGrants)
export class ApplyBulkGrantsHandler implements ICommandHandler<ApplyBulkGrants> {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly plans: GrantPlans,
    private readonly batches: BulkBatches,
    private readonly reasons: AdminReasons,
    private readonly readModels: ReadModels,
    private readonly controls: ControlSettings,
    private readonly approvals: Approvals,
    private readonly files: WaitingFiles,
  ) {
    approvals.carriesOut(KIND, (act) => this.carryOut(act));
  }

  /**
   * @throws AppError 400 a row that cannot be granted (`atomic`), 403 `ADMIN_DAILY_CAP`, 409 the file was granted before, 422 the
   * batch is another one
   */
  async execute({ request, adminId, requestId }: ApplyBulkGrants): Promise<BulkResultDto | WaitingActDto> {
    const read = await this.plans.read(request.csv);
    const waiting = await this.waiting(read, request, { adminId, requestId });
    return waiting ?? this.grant(read, request, { adminId, requestId });
  }

  /** The answer of a file that waits for a second admin. A batch that has begun goes on. */
  private async waiting(
    plan: GrantPlan,
    request: ApplyBulkGrantsDto,
    by: ByRequest,
  ): Promise<WaitingActDto | undefined> {
    const { batchId, mode, again } = request;
    if (await this.batches.find(batchId)) return undefined;
    const amount = totalOf(plan);
    const details = { rows: plan.rows.length, mode, again, fileHash: plan.fileHash };
    const act = { kind: KIND, targetId: batchId.toLowerCase(), amount, details };
    const id = derivedId('approval', `bulk:${act.targetId}`);
    const found = await this.approvals.find(id);
    // Who is meant by the rows may have changed since, and what they come to with it.
    if (found) return this.approvals.earlier(id, { ...act, amount: found.request.amount }, undefined);
    const { controls, admins } = await this.controls.standing();
    if (!amountWaits(controls, amount, admins)) return undefined;
    if (!again && (await this.batches.ofFile(plan.fileHash))) throw await this.grantedBefore(plan.fileHash);
    const { rows } = await this.plans.judge(plan, by.adminId);
    if (mode === 'atomic' && rows.some(({ problem }) => problem)) throw bulkRefused(rows);
    await this.refuseBeyondCap(plan, by.adminId);
    await this.files.keep(id, { csv: request.csv, memberIds: memberIdsOf(plan) });
    return this.approvals.request(id, act, { ...by, reason: undefined });
  }

  private async carryOut({ id, adminId, targetId: batchId, details }: ApprovedAct): Promise<DoneAct> {
    const file = await this.files.find(id);
    const read = file && (await this.plans.read(file.csv));
    // Another file may have come between: only what was asked for is approved.
    if (!read || read.fileHash !== details['fileHash']) {
      throw new AppError(409, 'FILE_GONE', 'The file of this act is no longer here. Ask again with a new batch.');
    }
    const mode = details['mode'] === 'each' ? 'each' : 'atomic';
    const { csv, memberIds } = file;
    const request = { csv, batchId, mode, again: details['again'] === true } as const;
    const plan = await this.plans.asBegun(read, memberIds);
    const { message } = await this.grant(plan, request, { adminId, requestId: id });
    return { eventId: null, message };
  }

  /** The ledger keeps the cap for each row; this refuses a file as a whole before any of it is granted. */
  private async refuseBeyondCap(plan: GrantPlan, adminId: string): Promise<void> {
    const cap = await this.controls.cap();
    const grants = plan.rows.flatMap((row) => readyRow(row) ?? []).map(({ userId, amount }) => ({ userId, amount }));
    if (cap.dailyLimit === undefined || grants.length === 0) return;
    const outcome = await this.ledger.execute({
      command: { type: 'GrantNovaInBulk', adminId, grants, ...cap },
      actor: `admin:${adminId}`,
      dryRun: true,
    });
    const rejection = outcome.status === 'refused' ? outcome.rejection : undefined;
    if (rejection?.code === 'ADMIN_DAILY_CAP') throw rejectionError(rejection);
  }

  private async grant(
    read: GrantPlan,
    request: ApplyBulkGrantsDto,
    { adminId, requestId }: ByRequest,
  ): Promise<BulkResultDto> {
    if (!(await this.batches.find(request.batchId))) await this.refuseBeyondCap(read, adminId);
    const known = await this.begin(read, request, adminId);
    const plan = await this.plans.asBegun(read, known.memberIds);
    if (known.outcomes) return this.answer(known, plan, known.outcomes, true);
    const applied = await this.apply(plan, known, requestId);
    const total = plan.rows.reduce(
      (sum, row, i) => sum + (applied.outcomes[i]?.eventId ? (row.row.amount ?? 0n) : 0n),
      0n,
    );
    await this.batches.finish(known.batchId, applied.outcomes, total);
    await this.readModels.caughtUp(applied.revision);
    const finished = (await this.batches.find(known.batchId)) ?? known;
    return this.answer(finished, plan, applied.outcomes, false);
  }

  /** The batch's row, new or as an earlier attempt left it, which any admin may finish for the one who began it. */
  private async begin(plan: GrantPlan, request: ApplyBulkGrantsDto, adminId: string): Promise<BulkBatch> {
    const { mode, again } = request;
    const batchId = request.batchId.toLowerCase();
    const { fileHash, rows } = plan;
    const memberIds = memberIdsOf(plan);
    await this.batches.begin({ batchId, adminId, fileHash, mode, rows: rows.length, memberIds }, { again });
    const batch = await this.batches.find(batchId);
    if (!batch) throw await this.grantedBefore(fileHash);
    if (batch.fileHash === fileHash && batch.mode === mode) return batch;
    throw new AppError(422, 'IDEMPOTENCY_KEY_REUSED', 'This batch has another file. Send a new batchId with this one.');
  }

  private async grantedBefore(fileHash: string): Promise<AppError> {
    const earlier = await this.batches.ofFile(fileHash);
    const batch = earlier && (await this.batches.render(earlier));
    const sentence = batch?.finished
      ? 'This file was granted before. Nothing was granted now.'
      : 'This file was started before but not finished. Finish that batch instead.';
    return new AppError(409, 'FILE_GRANTED_BEFORE', sentence, { extra: { batch } });
  }

  private async apply(plan: GrantPlan, batch: BulkBatch, correlationId: string): Promise<Applied> {
    await this.writeReasons(plan, batch);
    return batch.mode === 'atomic'
      ? this.applyAtOnce(plan, batch, correlationId)
      : this.applyEach(plan, batch, correlationId);
  }

  /**
   * An unknown outcome may have taken effect: only rows that never reached the ledger, or were refused, are taken back.
   */
  private async applyAtOnce(plan: GrantPlan, batch: BulkBatch, correlationId: string): Promise<Applied> {
    const { adminId, batchId } = batch;
    const grants = plan.rows.flatMap((planned, index) => {
      const ready = readyRow(planned);
      return ready ? [{ userId: ready.userId, amount: ready.amount, ...causeOf(batch, planned, index) }] : [];
    });
    if (grants.length < plan.rows.length) {
      await this.takeBack(plan, batch);
      throw bulkRefused(plan.rows);
    }
    const outcome = await this.ledger.execute({
      command: { type: 'GrantNovaInBulk', adminId, grants, ...(await this.controls.cap()) },
      actor: `admin:${adminId}`,
      correlationId,
      key: { scope: 'fact', value: `bulk:${batchId}` },
    });
    if (outcome.status === 'refused') {
      await this.takeBack(plan, batch);
      throw await this.refusal(plan, adminId, outcome);
    }
    const { events, revision } = expectAccepted(outcome);
    const outcomes = plan.rows.map(({ member }, i) => granted(member?.id ?? null, events[i]?.id ?? null));
    return { outcomes, revision };
  }

  /** The row that the ledger refused, if a single row is to blame. */
  private async refusal(
    plan: GrantPlan,
    adminId: string,
    { rejection }: Extract<CommandOutcome, { status: 'refused' }>,
  ): Promise<AppError> {
    const { rows } = await this.plans.judge(plan, adminId);
    return rows.some(({ problem }) => problem) ? bulkRefused(rows) : rejectionError(rejection);
  }

  private async applyEach(plan: GrantPlan, batch: BulkBatch, correlationId: string): Promise<Applied> {
    const cap = await this.controls.cap();
    let last = -1;
    const outcomes = await Promise.all(
      plan.rows.map(async (planned, index): Promise<RowOutcome> => {
        const ready = readyRow(planned);
        if (!ready) return refused(planned.member?.id ?? null, planned.problem);
        const outcome = await this.ledger.execute({
          command: { type: 'GrantNova', userId: ready.userId, adminId: batch.adminId, amount: ready.amount, ...cap },
          actor: `admin:${batch.adminId}`,
          correlationId,
          ...causeOf(batch, planned, index),
          key: { scope: 'fact', value: `bulk:${batch.batchId}:${index}` },
        });
        if (outcome.status !== 'accepted') {
          if (outcome.status === 'refused') await this.reasons.discard(reasonIdOf(batch, index));
          return refused(ready.userId, refusalOf(outcome));
        }
        last = Math.max(last, outcome.revision);
        return granted(ready.userId, outcome.events[0]?.id ?? null);
      }),
    );
    return { outcomes, revision: last };
  }

  /** Reasons come before the events that name them; their ids follow from the batch, so that a repeat names the same. */
  private async writeReasons(plan: GrantPlan, batch: BulkBatch): Promise<void> {
    await this.reasons.writeMany(
      plan.rows.flatMap((planned, index) => {
        const ready = readyRow(planned);
        if (!ready?.reason) return [];
        return { id: reasonIdOf(batch, index), adminId: batch.adminId, userId: ready.userId, text: ready.reason };
      }),
    );
  }

  private async takeBack(plan: GrantPlan, batch: BulkBatch): Promise<void> {
    await Promise.all(plan.rows.map((_, index) => this.reasons.discard(reasonIdOf(batch, index))));
    await this.batches.forget(batch.batchId);
  }

  private async answer(
    batch: BulkBatch,
    plan: GrantPlan,
    outcomes: readonly RowOutcome[],
    repeated: boolean,
  ): Promise<BulkResultDto> {
    const rows = plan.rows.map((planned, index): PlannedRow => {
      const { code, message } = outcomes[index] ?? {};
      return { ...planned, problem: code && message ? { code, message } : undefined };
    });
    const rendered = await this.batches.render(batch);
    return {
      batch: rendered,
      rows: renderRows(
        rows,
        outcomes.map(({ eventId }) => eventId),
      ),
      refused: batch.rows - batch.granted,
      repeated,
      message: `Granted ${novaText(batch.total)} in ${batch.granted} of ${batch.rows} rows.`,
    };
  }
}

const memberIdsOf = ({ rows }: GrantPlan): (string | null)[] => rows.map(({ member }) => member?.id ?? null);

/** Minor units of the rows that can be granted. */
const totalOf = (plan: GrantPlan): bigint => plan.rows.reduce((sum, row) => sum + (readyRow(row)?.amount ?? 0n), 0n);

const reasonIdOf = ({ batchId }: BulkBatch, index: number): string => derivedId('bulk-grant', `${batchId}:${index}`);

const causeOf = (batch: BulkBatch, { row }: PlannedRow, index: number): { readonly cause?: string } =>
  row.reason ? { cause: `${REASON_CAUSE}${reasonIdOf(batch, index)}` } : {};

const granted = (userId: string | null, eventId: string | null): RowOutcome => ({
  userId,
  eventId,
  code: null,
  message: null,
});

const refused = (userId: string | null, problem: { readonly code: string; readonly message: string } | undefined) => ({
  userId,
  eventId: null,
  code: problem?.code ?? null,
  message: problem?.message ?? null,
});

/** Of a larger file that is refused, the refusal tells the first faulty rows; checking the file tells of all. */
const REFUSED_ROWS_SHOWN_MAX = 10;

function bulkRefused(rows: readonly PlannedRow[]): AppError {
  const wrong = rows.filter(({ problem }) => problem);
  const what = wrong.length === 1 ? 'One row cannot be granted' : `${wrong.length} rows cannot be granted`;
  const told = rows.length <= REFUSED_ROWS_SHOWN_MAX ? rows : wrong.slice(0, REFUSED_ROWS_SHOWN_MAX);
  return new AppError(400, 'BULK_REFUSED', `${what}, so nothing was granted.`, { extra: { rows: renderRows(told) } });
}
