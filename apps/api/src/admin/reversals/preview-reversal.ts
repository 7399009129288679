import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { accountKind, accountOwner, type FactOf, memberOf } from '@app/domain';
import type { Ledger } from '@app/ledger';
import { DELETED_APPLICATION } from '@app/projections';
import { DELETED_MEMBER, MemberDirectory } from '../../identity/member-directory.js';
import { Applications } from '../../oauth/applications.js';
import { eventOf, expectAccepted } from '../../platform/errors/rejections.js';
import { LEDGER } from '../../platform/ledger/injected-ledger.js';
import { LaterEvents, movementReversalKey } from '../../wallet/later-events.js';
import { toNova } from '../../wallet/nova-amount.js';
import type { ReversalPartDto, ReversalPreviewDto } from './reversals.dto.js';
import { type ReversibleMovement, ReversibleMovements, reversalRequest } from './reversible-movements.js';

export class PreviewReversal extends Query<ReversalPreviewDto> {
  constructor(
    readonly eventId: string,
    readonly adminId: string,
  ) {
    super();
  }
}

/** `GET /api/admin/events/{id}/reversal`: a dry run (rule ledger-13). */
@QueryHandler(PreviewReversal)
export class PreviewReversalHandler implements IQueryHandler<PreviewReversal> {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly movements: ReversibleMovements,
    private readonly later: LaterEvents,
    private readonly directory: MemberDirectory,
    private readonly applications: Applications,
  ) {}

  /** @throws AppError 404 no such event, 409 `NOT_REVERSIBLE` */
  async execute({ eventId, adminId }: PreviewReversal): Promise<ReversalPreviewDto> {
    const movement = await this.movements.find(eventId);
    const amount = toNova(movement.amount);
    const done = await this.later.underKey(movementReversalKey(movement.facts.originalId));
    if (done?.event.type === 'MovementReversed') {
      const { event, recorded } = done;
      return { ...(await this.told(event)), state: 'reversed', amount, obstacle: null, reversalEventId: recorded.id };
    }
    return { amount, reversalEventId: null, ...(await this.dryRun(movement, adminId)) };
  }

  private async dryRun(
    movement: ReversibleMovement,
    adminId: string,
  ): Promise<Omit<ReversalPreviewDto, 'amount' | 'reversalEventId'>> {
    const { command } = reversalRequest(movement, { adminId, partly: true });
    const outcome = await this.ledger.execute({ command, actor: `admin:${adminId}`, dryRun: true });
    if (outcome.status === 'refused') {
      return { state: 'impossible', returned: 0, parts: [], obstacle: outcome.rejection.message };
    }
    const { event } = eventOf(expectAccepted(outcome), 'MovementReversed');
    const state = event.returned === movement.amount ? 'whole' : 'part';
    return { ...(await this.told(event)), state, obstacle: null };
  }

  private async told(event: FactOf<'MovementReversed'>): Promise<Pick<ReversalPreviewDto, 'returned' | 'parts'>> {
    const accounts = event.entries.map(([account]) => account);
    const [members, applications] = await Promise.all([
      this.directory.find(accounts.flatMap((account) => memberOf(account) ?? [])),
      this.applications.names(accounts.flatMap((account) => applicationOf(account) ?? [])),
    ]);
    const holderOf = (account: string): string | null => {
      const [userId, clientId] = [memberOf(account), applicationOf(account)];
      if (userId !== undefined) return members.get(userId)?.displayName ?? DELETED_MEMBER;
      return clientId === undefined ? null : (applications.get(clientId) ?? DELETED_APPLICATION);
    };
    return {
      returned: toNova(event.returned),
      parts: event.entries.map(([account, , delta]): ReversalPartDto => ({
        account,
        holder: holderOf(account),
        amount: toNova(delta),
      })),
    };
  }
}

const applicationOf = (account: string): string | undefined =>
  accountKind(account).startsWith('app:') ? accountOwner(account) : undefined;
