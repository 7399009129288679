import { Injectable } from '@nestjs/common';
import { VerifiedLedger } from '@app/ledger';
import { Projections, readRebuilds, type RebuildRecord } from '@app/projections';
import type { Pool } from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';
import { projectionLags } from '../../platform/journal/journal.js';
import type { ReadModelsDto, RebuildDto } from './read-models.dto.js';

/** Read models as operators see them. */
@Injectable()
export class ReadModelViews {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly ledger: VerifiedLedger,
    private readonly projections: Projections,
  ) {}

  async list(): Promise<ReadModelsDto> {
    const { ledger, projections } = this;
    const [status, lags, rebuilds] = await Promise.all([
      projections.status(),
      projectionLags(ledger, projections),
      readRebuilds(this.pool),
    ]);
    const last = new Map(rebuilds.map((record) => [record.name, record]));
    const models = status.map(({ name, state, isOfOtherVersion, error }) => ({
      name,
      state,
      lagEvents: lags.get(name) ?? 0,
      isOfOtherVersion,
      error: error ?? null,
      lastRebuild: toDto(last.get(name)),
    }));
    return { models };
  }
}

const ENDS = new Set<RebuildDto['phase']>(['done', 'differs', 'failed']);

function toDto(record: RebuildRecord | undefined): RebuildDto | null {
  if (!record) return null;
  const { phase, running, eventsDone, eventsTotal, beganAt, updatedAt, outcome } = record;
  return {
    phase: running || ENDS.has(phase) ? phase : 'interrupted',
    eventsDone,
    eventsTotal,
    beganAt: beganAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    outcome,
  };
}
