import type { Fact } from '../events.js';
import { refuse } from '../funds.js';
import type { LedgerState } from '../state.js';
import { COUNTS_NOWHERE, type Movement, type Ruling } from './movement.js';

/** `endsAt` is the period's last moment; it must have passed. */
export interface ClosePeriod {
  readonly type: 'ClosePeriod';
  readonly endsAt: number;
}

/**
 * The books up to a moment are closed. The event is dated after that moment, and journal time never falls, so no later
 * event can be dated before it. The stream `periods` seals their content.
 */
export interface PeriodClosed extends Fact<'PeriodClosed'> {
  /** The period's last moment, in milliseconds since 1970. */
  readonly endsAt: number;
}

/** A period can close once journal time has passed it: the event, and all later ones, are dated after its end. */
function closePeriod(_state: LedgerState, { endsAt }: ClosePeriod, at: number): Ruling {
  if (!Number.isSafeInteger(endsAt) || endsAt < 0) {
    return refuse({ code: 'INVALID_COMMAND', message: 'The end of the period is no time.' });
  }
  if (endsAt >= at) {
    return refuse({ code: 'PERIOD_NOT_OVER', message: 'This period is not over yet. Choose an end that has passed.' });
  }
  return [{ type: 'PeriodClosed', endsAt, entries: [] }];
}

/** The books of a period are closed (rule finance-4). */
export const period: Movement<ClosePeriod, PeriodClosed, never> = {
  commands: { ClosePeriod: closePeriod },
  events: {
    PeriodClosed: {
      fields: { endsAt: 'number' },
      effect: null,
      posts: null,
      cameFrom: ({ endsAt }) => ({ type: 'ClosePeriod', endsAt }),
      onceOnly: ({ endsAt }) => `period up to ${endsAt}`,
      sentence: ({ endsAt }) => `The books up to ${new Date(endsAt).toISOString()} were closed`,
      statementRows: null,
      ...COUNTS_NOWHERE,
    },
  },
  rows: {},
};
