import { Inject, Injectable } from '@nestjs/common';
import type { EventStore } from '@app/event-store';
import { storedIn } from '@app/ledger';
import type pg from 'pg';
import { type CheckpointsConfig, type Config, InjectConfig } from '../../platform/config.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { Metrics } from '../../platform/health/metrics.js';
import { ReadinessChecks } from '../../platform/health/readiness.js';
import { EVENT_STORE } from '../../platform/journal/injected-journal.js';
import type { OpenLedger } from '../../platform/ledger/open-ledger.js';
import { OPEN_LEDGER } from '../../platform/ledger/injected-ledger.js';
import { Rounds } from '../../platform/rounds.js';
import { CheckpointRounds } from './checkpoint-rounds.js';
import { BucketTarget } from './checkpoint-bucket.js';
import { type CheckpointTarget, FolderTarget, WebhookTarget } from './checkpoint-targets.js';

const LOOK_EVERY_MS = 30_000;

/** The checkpoints of a signed journal (`docs/ledger.md`, Checkpoints): made, sent, and seen by operators. */
@Injectable()
export class DailyCheckpoints extends Rounds {
  readonly checkpoints: CheckpointRounds;

  constructor(
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(OPEN_LEDGER) { clock, writer }: OpenLedger,
    @InjectConfig() config: Config,
    @InjectPool() pool: pg.Pool,
    checks: ReadinessChecks,
    metrics: Metrics,
  ) {
    super({ firstAfterMs: LOOK_EVERY_MS, everyMs: LOOK_EVERY_MS }, 'looking after checkpoints');
    const { journalKeys: keys } = config;
    const targets = targetsOf(config.checkpoints);
    this.checkpoints = new CheckpointRounds({
      store: storedIn(store),
      pool,
      clock,
      writer,
      keys,
      targets,
      logger: this.logger,
    });
    const { checkpoints } = this;
    checks.add('checkpoints', () => {
      const { complaints } = checkpoints;
      return complaints.length === 0 ? { ok: true } : { ok: false, bearable: true, detail: complaints.join('; ') };
    });
    metrics.gauge(
      'nova_checkpoint_due_seconds',
      'For how long a checkpoint of the signed journal has been due; five minutes are as it should be',
      () => (checkpoints.dueSince === undefined ? 0 : Math.max(0, clock.now() - checkpoints.dueSince) / 1_000),
    );
    metrics.gauge(
      'nova_checkpoints_undelivered',
      'Checkpoints that are still to go to a folder, a bucket or a webhook',
      () => checkpoints.undelivered,
    );
  }

  protected override round(signal: AbortSignal): Promise<void> {
    return this.checkpoints.round(signal);
  }
}

const targetsOf = ({ folder, copies, bucket, webhook }: CheckpointsConfig): CheckpointTarget[] => [
  new FolderTarget('the data folder', folder),
  ...(copies === undefined ? [] : [new FolderTarget('the folder', copies, false)]),
  ...(bucket ? [new BucketTarget(bucket)] : []),
  ...(webhook === undefined ? [] : [new WebhookTarget(webhook)]),
];
