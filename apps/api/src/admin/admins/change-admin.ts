import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { hasSecondEye, type ModerationEvent } from '@app/domain';
import { v7 as uuidv7 } from 'uuid';
import { AdminRights, type RightsChange } from '../../identity/admin-rights.js';
import type { MessageResponse } from '../../identity/message.dto.js';
import { AppError, notFound } from '../../platform/errors/app-error.js';
import { AdminActs, type ByAdmin } from '../admin-acts.js';
import { AdminUsers } from '../admin-users.js';
import { Approvals, type ApprovedAct, type DoneAct } from '../approvals/approvals.js';
import type { WaitingActDto } from '../approvals/approvals.dto.js';
import { ControlSettings } from '../controls/controls.js';
import { Moderation } from '../moderation.js';

/** What becomes of a member's rights. */
export type RightsKind = 'make-admin' | 'unmake-admin';

const EVENT = { 'make-admin': 'AdminMade', 'unmake-admin': 'AdminUnmade' } as const;

/** Makes a member an admin, or an admin a member again (rule admin-18). */
export class ChangeAdmin extends Command<MessageResponse | WaitingActDto> {
  constructor(
    readonly kind: RightsKind,
    readonly userId: string,
    readonly by: ByAdmin,
  ) {
    super();
  }
}

/** The change needs a second admin: nothing was changed. */
class Waits extends Error {
  override readonly name = 'Waits';
}

/** An account's rights as the events in its stream come to. */
interface Rights {
  readonly last: ModerationEvent['type'] | undefined;
  /** Approved acts that were recorded. */
  readonly acts: readonly string[];
}

const RIGHTS = {
  initial: { last: undefined, acts: [] } as Rights,
  evolve: (rights: Rights, { type, subjectId }: ModerationEvent): Rights => {
    if (type !== 'AdminMade' && type !== 'AdminUnmade') return rights;
    return { last: type, acts: subjectId === null ? rights.acts : [...rights.acts, subjectId] };
  },
};

@CommandHandler(ChangeAdmin)
export class ChangeAdminHandler implements ICommandHandler<ChangeAdmin> {
  constructor(
    private readonly rights: AdminRights,
    private readonly users: AdminUsers,
    private readonly acts: AdminActs,
    private readonly moderation: Moderation,
    private readonly controls: ControlSettings,
    private readonly approvals: Approvals,
  ) {
    for (const kind of ['make-admin', 'unmake-admin'] as const) {
      approvals.carriesOut(kind, (act) => this.carryOut(kind, act));
    }
  }

  /**
   * @throws AppError 404 no such user, 409 `ALREADY_ADMIN`, `NOT_ADMIN`, `EMAIL_BLOCKED`, `LAST_ADMIN`, 503
   */
  async execute({ kind, userId, by }: ChangeAdmin): Promise<MessageResponse | WaitingActDto> {
    const controls = await this.controls.current();
    try {
      const isThere = await this.rights.change(userId, async (now) => {
        refuseChange(kind, now);
        if (hasSecondEye(controls, now.admins.size) && (kind === 'make-admin' || now.admins.size === 2))
          throw new Waits();
        await this.acts.record({ type: EVENT[kind], targetId: userId, subjectId: null }, by);
        return kind === 'make-admin';
      });
      if (!isThere) throw notFound('This user');
    } catch (error) {
      if (!(error instanceof Waits)) throw error;
      const act = { kind, targetId: userId, amount: null, details: {} };
      return this.approvals.request(uuidv7(), act, by);
    }
    const name = (await this.users.find(userId))?.displayName ?? 'This member';
    return { message: kind === 'make-admin' ? `${name} is an admin now.` : `${name} is no longer an admin.` };
  }

  /** The last event of the account counts: an act that is taken up again after a later one changes nothing. */
  private async carryOut(kind: RightsKind, { id, targetId, adminId, reasonId }: ApprovedAct): Promise<DoneAct> {
    const isThere = await this.rights.change(targetId, async (now) => {
      const { last, acts } = await this.moderation.read(targetId, RIGHTS);
      if (acts.includes(id)) return last === 'AdminMade';
      refuseChange(kind, now);
      await this.moderation.record({ type: EVENT[kind], adminId, targetId, subjectId: id, reasonId }, id);
      return kind === 'make-admin';
    });
    if (!isThere) throw notFound('This user');
    return { eventId: null, message: null };
  }
}

function refuseChange(kind: RightsKind, { isAdmin, isBlocked, admins }: RightsChange): void {
  if (kind === 'make-admin') {
    if (isAdmin) throw new AppError(409, 'ALREADY_ADMIN', 'This member is an admin already.');
    if (!isBlocked) return;
    throw new AppError(409, 'EMAIL_BLOCKED', 'The e-mail address of this member is blocked. Unblock it first.');
  }
  if (!isAdmin) throw new AppError(409, 'NOT_ADMIN', 'This member is not an admin.');
  if (admins.size > 1) return;
  throw new AppError(409, 'LAST_ADMIN', 'This is the only admin. Make another member an admin first.');
}
