import { Injectable, Logger } from '@nestjs/common';
import {
  type Approval,
  APPROVAL_LIFETIME_MS,
  type ApprovalRefusal,
  type ApprovalRequested,
  decisionRefusal,
  evolveApproval,
  type ModerationEvent,
} from '@app/domain';
import { v7 as uuidv7 } from 'uuid';
import { AdminRights } from '../../identity/admin-rights.js';
import type { Call } from '../../platform/current-call.js';
import { derivedId } from '../../platform/derived-id.js';
import { AppError, keyReused, notFound } from '../../platform/errors/app-error.js';
import { isUuid } from '../../platform/uuid.js';
import { AdminReasons } from '../admin-reasons.js';
import { type Actor, Moderation } from '../moderation.js';
import { WaitingActDto } from './approvals.dto.js';

/** An act as it is asked for. `details` are what its kind needs beside target and amount: ids and figures, never typed text. */
export interface RequestedAct {
  readonly kind: string;
  readonly targetId: string;
  /** Minor units of NOVA. */
  readonly amount: bigint | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** An act that a second admin approved. */
export interface ApprovedAct extends RequestedAct {
  readonly id: string;
  /** Who asked for it. */
  readonly adminId: string;
  readonly reasonId: string | null;
}

/** What was done. */
export interface DoneAct {
  /** The ledger's event, if it is one. */
  readonly eventId: string | null;
  /** A sentence for an act that is several. */
  readonly message: string | null;
}

/**
 * Carries an approved act out. It may be asked again after a crash, and by two servers at once: the act happens once.
 * @throws AppError 4xx: it cannot be done any more, which ends the act. Everything else is tried again
 */
export type CarryOut = (act: ApprovedAct) => Promise<DoneAct>;

const FOLD = { initial: undefined, evolve: evolveApproval };
const MODELS = ['audit', 'approvals'];

const STATUS: Readonly<Record<ApprovalRefusal['code'], number>> = {
  NO_ADMIN: 403,
  OWN_ACT: 403,
  NOT_WAITING: 409,
  APPROVAL_EXPIRED: 409,
  REQUESTER_NO_ADMIN: 409,
};

/**
 * Acts of admins that wait for a second one (rule admin-20). Each is a stream: asked for, approved or declined, ended. A kind of
 * act takes part by one call of `carriesOut`.
 */
@Injectable()
export class Approvals {
  private readonly logger = new Logger(Approvals.name);
  private readonly kinds = new Map<string, CarryOut>();

  constructor(
    private readonly moderation: Moderation,
    private readonly reasons: AdminReasons,
    private readonly rights: AdminRights,
  ) {}

  /** Says how acts of a kind are done once they are approved. */
  carriesOut(kind: string, carryOut: CarryOut): void {
    this.kinds.set(kind, carryOut);
  }

  /** The id of the act that a call asks for: the same for a repeated call. @param scope as of `CommandRequest.key` */
  idOf({ idempotencyKey }: Call, scope: string): string {
    return idempotencyKey === undefined ? uuidv7() : derivedId('approval', `${scope}\n${idempotencyKey}`);
  }

  /** @throws AppError 503 */
  find(id: string): Promise<Approval | undefined> {
    return this.moderation.read<Approval | undefined>(id, FOLD);
  }

  /**
   * The answer to a call that was made before and waits since, or has waited; undefined if it is new.
   * @throws AppError 422 the call's key came with something else
   */
  async earlier(id: string, act: RequestedAct, reason: string | undefined): Promise<WaitingActDto | undefined> {
    const found = await this.find(id);
    if (!found) return undefined;
    const { request } = found;
    const text = request.reasonId === null ? undefined : await this.reasons.find(request.reasonId);
    if (!isSame(request, act) || text !== (reason || undefined)) throw keyReused();
    return WaitingActDto.of(found);
  }

  /** Asks for an act, once for each id. Returns once the lists show it. @throws AppError 422 the id is of another act, 503 */
  async request(
    id: string,
    act: RequestedAct,
    by: Actor & { readonly reason: string | undefined },
  ): Promise<WaitingActDto> {
    const { adminId, reason } = by;
    const userId = isUuid(act.targetId) ? act.targetId : adminId;
    const reasonId = reason ? await this.reasons.write({ adminId, userId, text: reason }) : null;
    const { events } = await this.moderation.decide<Approval | undefined, { events: ApprovalRequested[] }>(
      id,
      FOLD,
      (state, at) => {
        if (state) return { events: [] };
        const { kind, targetId, amount } = act;
        const request = { adminId, targetId, subjectId: id, reasonId, at, kind, amount };
        const details = JSON.stringify(act.details);
        return {
          events: [{ type: 'ApprovalRequested', ...request, details, expiresAt: at + APPROVAL_LIFETIME_MS }],
        };
      },
      by,
      MODELS,
    );
    if (events.length === 0 && reasonId !== null) await this.reasons.discard(reasonId);
    const answer = await this.earlier(id, act, by.reason);
    if (!answer) throw new Error('an act was asked for without a trace');
    return answer;
  }

  /**
   * Approves an act and carries it out. Whoever comes second is refused. If it cannot be carried out at once, the sweep does it.
   * @throws AppError 403 `OWN_ACT`, 404, 409 `NOT_WAITING`, `APPROVAL_EXPIRED`, `REQUESTER_NO_ADMIN`, 503
   */
  async approve(id: string, by: Actor): Promise<Approval> {
    await this.decide(id, by, 'approve', null);
    try {
      await this.goOn(id);
    } catch (error) {
      this.logger.warn({ err: error, approvalId: id }, 'an approved act could not be done yet; the next round retries');
    }
    return this.known(id);
  }

  /** Declines an act, or withdraws one’s own. @throws AppError 404, 409 `NOT_WAITING`, `APPROVAL_EXPIRED`, 503 */
  async decline(id: string, by: Actor & { readonly reason: string }): Promise<Approval> {
    const { request } = await this.known(id);
    const { adminId, reason: text } = by;
    const userId = isUuid(request.targetId) ? request.targetId : adminId;
    const reasonId = await this.reasons.write({ adminId, userId, text });
    try {
      await this.decide(id, by, 'decline', reasonId);
    } catch (error) {
      if (error instanceof AppError && error.statusCode < 500) await this.reasons.discard(reasonId);
      throw error;
    }
    return this.known(id);
  }

  /** Carries out an act that was approved, unless that is done, and records how it ended. @throws what is worth another try */
  async goOn(id: string): Promise<void> {
    const { request, status, decidedBy } = await this.known(id);
    if (status !== 'approved' || decidedBy === undefined) return;
    const { kind, targetId, amount, adminId, reasonId } = request;
    const carryOut = this.kinds.get(kind);
    if (!carryOut) throw new Error(`nothing here does approved acts of the kind ${kind}`);
    const details = JSON.parse(request.details) as RequestedAct['details'];
    const end = await endOf(() => carryOut({ id, kind, targetId, amount, details, adminId, reasonId }));
    const act = { type: 'ApprovedActEnded', adminId, targetId, subjectId: id, reasonId, ...end } as const;
    await this.moderation.decide<Approval | undefined, { events: ModerationEvent[] }>(
      id,
      FOLD,
      (state, at) => ({ events: state?.status === 'approved' ? [{ ...act, at }] : [] }),
      { adminId: decidedBy, requestId: id },
      MODELS,
    );
  }

  private async known(id: string): Promise<Approval> {
    const found = await this.find(id);
    if (!found) throw notFound('This act');
    return found;
  }

  private async decide(id: string, by: Actor, decision: 'approve' | 'decline', reasonId: string | null): Promise<void> {
    const { adminId } = by;
    const admins = await this.rights.all();
    const outcome = await this.moderation.decide<
      Approval | undefined,
      { events: ModerationEvent[] } | { rejection: ApprovalRefusal | undefined }
    >(
      id,
      FOLD,
      (state, at) => {
        if (!state) return { rejection: undefined };
        const rejection = decisionRefusal(state, { adminId, decision, admins }, at);
        if (rejection) return { rejection };
        const type = decision === 'approve' ? 'ApprovalGiven' : 'ApprovalDeclined';
        return { events: [{ type, adminId, targetId: state.request.targetId, subjectId: id, reasonId, at }] };
      },
      by,
      MODELS,
    );
    if (!('rejection' in outcome)) return;
    if (!outcome.rejection) throw notFound('This act');
    throw new AppError(STATUS[outcome.rejection.code], outcome.rejection.code, outcome.rejection.message);
  }
}

const isSame = (request: ApprovalRequested, { kind, targetId, amount, details }: RequestedAct): boolean =>
  request.kind === kind &&
  request.targetId === targetId &&
  request.amount === amount &&
  request.details === JSON.stringify(details);

async function endOf(carryOut: () => Promise<DoneAct>): Promise<DoneAct & { readonly refusal: string | null }> {
  try {
    return { ...(await carryOut()), refusal: null };
  } catch (error) {
    if (!(error instanceof AppError) || error.statusCode >= 500) throw error;
    return { eventId: null, refusal: error.code, message: error.message };
  }
}
