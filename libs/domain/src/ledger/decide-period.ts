import type { CommandOf } from './commands.js';
import type { Ruling } from './decide.js';
import { refuse } from './funds.js';

/** A period can be closed once journal time has left it: the event is dated after its end, and all that follow with it. */
export function decidePeriod({ endsAt }: CommandOf<'ClosePeriod'>, at: number): Ruling {
  if (!Number.isSafeInteger(endsAt) || endsAt < 0) {
    return refuse({ code: 'INVALID_COMMAND', message: 'The end of the period is no time.' });
  }
  if (endsAt >= at) {
    return refuse({ code: 'PERIOD_NOT_OVER', message: 'This period is not over yet: choose an end that has passed.' });
  }
  return [{ type: 'PeriodClosed', endsAt, entries: [] }];
}
