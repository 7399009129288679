import { Module } from '@nestjs/common';
import { ScheduledBackups } from './scheduled-backups.js';

/** Backups of the whole installation, which servers make on a schedule (`docs/operations.md`, Backup and restore). */
@Module({ providers: [ScheduledBackups] })
export class BackupsModule {}
