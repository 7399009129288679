import { Injectable } from '@nestjs/common';
import { AdminReasons } from './admin-reasons.js';
import { type Act, Moderation } from './moderation.js';

/** Who acts, in which request, and why. */
export interface ByAdmin {
  readonly adminId: string;
  readonly requestId: string;
  /** No reason and an empty one are the same. */
  readonly reason: string | undefined;
}

type OfAdmin<E> = E extends Act ? Omit<E, 'adminId' | 'reasonId'> : never;

/**
 * Admins' acts on accounts, recorded before they are done: reason, event, effect. So every effect can be found,
 * whatever happens in between.
 */
@Injectable()
export class AdminActs {
  constructor(
    private readonly reasons: AdminReasons,
    private readonly moderation: Moderation,
  ) {}

  /** Answers with the id of the reason's row. @throws AppError 503 */
  async record(act: OfAdmin<Act>, { adminId, requestId, reason }: ByAdmin): Promise<string | null> {
    const reasonId = await this.reasonRow(act.targetId, { adminId, reason });
    await this.moderation.record({ ...act, adminId, reasonId }, requestId);
    return reasonId;
  }

  /** The row of a reason, or null where there is none. */
  async reasonRow(targetId: string, { adminId, reason }: Pick<ByAdmin, 'adminId' | 'reason'>): Promise<string | null> {
    return reason ? this.reasons.write({ adminId, userId: targetId, text: reason }) : null;
  }
}
