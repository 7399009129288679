import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DELETED_MEMBER, MemberDirectory } from '../../identity/member-directory.js';
import { actorKind } from '../../platform/actor-kind.js';
import { InjectPool } from '../../platform/database/database.module.js';
import type { ReconciliationLineDto, ReconciliationRunDto } from './reconciliation.dto.js';
import type { ReconciledLine } from './reconciliation-lines.js';
import { isSettleable } from './verdicts.js';
import type { ReconciliationRun } from './reconciliation-runs.js';

const ADMIN = 'admin:';

/** Runs and lines as admins see them: with names, and with the reasons of explanations. */
@Injectable()
export class ReconciliationViews {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly directory: MemberDirectory,
  ) {}

  async lines(lines: readonly ReconciledLine[]): Promise<ReconciliationLineDto[]> {
    const [names, reasons] = await Promise.all([
      this.names(lines.flatMap(({ explainedBy }) => explainedBy ?? [])),
      this.reasons(lines.flatMap(({ reasonId }) => reasonId ?? [])),
    ]);
    return lines.map((line) => {
      const {
        subject: id,
        side,
        kind,
        providerId,
        paymentIntentId,
        cents,
        feeCents,
        at,
        status,
        code,
        note,
        eventId,
      } = line;
      const { explainedBy, explainedAt, reasonId } = line;
      const explanation =
        explainedBy && explainedAt
          ? { by: names(explainedBy), at: explainedAt.toISOString(), reason: reasons.get(reasonId ?? '') ?? null }
          : null;
      const told = { id, side, kind, providerId, paymentIntentId, cents, feeCents, status, code, note, eventId };
      const canBeSettled = status === 'flagged' && isSettleable(code);
      return { ...told, at: at.toISOString(), explanation, isSettleable: canBeSettled };
    });
  }

  async runs(runs: readonly ReconciliationRun[]): Promise<ReconciliationRunDto[]> {
    const admins = runs.flatMap(({ actor }) => (actor.startsWith(ADMIN) ? actor.slice(ADMIN.length) : []));
    const names = await this.names(admins);
    return runs.map((run) => ({
      id: run.id,
      actor: actorKind(run.actor),
      by: run.actor.startsWith(ADMIN) ? names(run.actor.slice(ADMIN.length)) : null,
      from: run.from.toISOString(),
      until: run.until.toISOString(),
      startedAt: run.startedAt.toISOString(),
      finishedAt: run.finishedAt?.toISOString() ?? null,
      state: stateOf(run),
      matched: run.matched,
      explained: run.explained,
      flagged: run.flagged,
      grossCents: run.grossCents,
      feeCents: run.feeCents,
      netCents: run.netCents,
    }));
  }

  private async names(ids: readonly string[]): Promise<(id: string) => string> {
    const members = await this.directory.find([...ids]);
    return (id) => members.get(id)?.displayName ?? DELETED_MEMBER;
  }

  private async reasons(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.pool.query<{ id: string; reason: string }>(
      'select id, reason from reason_directory where id = any($1::uuid[])',
      [ids],
    );
    return new Map(rows.map(({ id, reason }) => [id, reason]));
  }
}

function stateOf({ finishedAt, error, isRunning }: ReconciliationRun): ReconciliationRunDto['state'] {
  if (isRunning) return 'running';
  return finishedAt === null || error !== null ? 'failed' : 'done';
}
