import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { type Config, InjectConfig } from '../platform/config.js';
import { InjectPool } from '../platform/database/database.module.js';
import { inTurn } from '../platform/database/sole-owner.js';
import { Metrics } from '../platform/health/metrics.js';
import { type Readiness, ReadinessChecks } from '../platform/health/readiness.js';
import { Rounds } from '../platform/rounds.js';
import type { BackupPlace } from './backup-place.js';
import { BACKUP_LOCK, backupsIn, makeBackup } from './make-backup.js';
import { placeOf } from './place-of.js';
import { timeOf } from './manifest.js';

const HOUR_MS = 3_600_000;
const LOOK_EVERY_MS = 5 * 60_000;
const FIRST_LOOK_MS = 60_000;
/** So much later than it is due, a backup is missing. */
const LATE_MS_MAX = 6 * HOUR_MS;

/** Makes a backup whenever one is due, in one server of the installation, and tells operators how old the last one is. */
@Injectable()
export class ScheduledBackups extends Rounds {
  private readonly databaseUrl: string;
  private readonly place: BackupPlace | undefined;
  /** When the newest was made; undefined before the first look, and where there is none. */
  private newest: Date | undefined;
  private trouble: string | undefined;

  constructor(
    @InjectConfig() private readonly config: Config,
    @InjectPool() private readonly pool: pg.Pool,
    { options }: DataSource,
    checks: ReadinessChecks,
    metrics: Metrics,
  ) {
    super({ firstAfterMs: FIRST_LOOK_MS, everyMs: LOOK_EVERY_MS }, 'looking after backups');
    this.databaseUrl = 'url' in options ? (options.url ?? '') : '';
    this.place = placeOf(config.backups);
    if (this.place) checks.add('backups', () => Promise.resolve(this.state()));
    metrics.gauge(
      'nova_backup_age_seconds',
      'Since the newest backup; not a number before the first, and where none are kept',
      () => (this.newest ? (Date.now() - this.newest.getTime()) / 1_000 : Number.NaN),
    );
  }

  protected override round(): Promise<void> {
    return this.look();
  }

  /** Makes one if it is due. */
  async look(): Promise<void> {
    const { place } = this;
    if (!place) return;
    try {
      if (await this.isDue(place)) await inTurn(this.pool, BACKUP_LOCK, () => this.make(place));
      this.trouble = undefined;
    } catch (error) {
      // The reason may name what strangers need not know.
      this.trouble = 'none could be made: the log says why';
      throw error;
    }
  }

  private async make(place: BackupPlace): Promise<void> {
    const { backups, dataDir, eventStoreUrl } = this.config;
    // Another server may have made it while this one waited.
    if (!(await this.isDue(place))) return;
    const { name, tables, files } = await makeBackup({
      databaseUrl: this.databaseUrl,
      place,
      dataDir,
      eventStoreUrl,
      withSecrets: backups.withSecrets,
      keep: backups.keep,
    });
    this.newest = timeOf(name);
    this.logger.log(`made the backup ${name}: ${tables.length} tables and ${files.length} files`);
  }

  private async isDue(place: BackupPlace): Promise<boolean> {
    this.newest = timeOf((await backupsIn(place)).at(-1) ?? '');
    const { everyHours } = this.config.backups;
    return everyHours > 0 && (!this.newest || Date.now() - this.newest.getTime() >= everyHours * HOUR_MS);
  }

  private state(): Readiness {
    const { everyHours } = this.config.backups;
    const age = this.newest && Date.now() - this.newest.getTime();
    const isMissing = everyHours > 0 && age !== undefined && age > everyHours * HOUR_MS + LATE_MS_MAX;
    const told = age === undefined ? [] : [`the last one is ${(age / HOUR_MS).toFixed(1)} hours old`];
    const detail = [...told, ...(this.trouble === undefined ? [] : [this.trouble])].join('; ');
    const isOk = !isMissing && this.trouble === undefined;
    return { ok: isOk, ...(isOk ? {} : { bearable: true }), ...(detail === '' ? {} : { detail }) };
  }
}
