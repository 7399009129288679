import { Injectable } from '@nestjs/common';
import { HOUSEKEEPING, Rounds } from '../platform/rounds.js';
import { Notices } from './notices.js';

/** Removes notices that are too old. */
@Injectable()
export class NoticesHousekeeping extends Rounds {
  constructor(private readonly notices: Notices) {
    super(HOUSEKEEPING, 'sweeping notices');
  }

  protected override round(): Promise<void> {
    return this.notices.sweep();
  }
}
