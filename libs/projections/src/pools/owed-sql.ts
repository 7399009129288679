import { POOL_SCALE } from '@app/domain';

/**
 * What one pool owes one holder, in whole minor units: `owed` of the domain's pool arithmetic, in SQL. `share` and
 * `pool` are aliases of rows with shares, settled_at, fraction and accumulator.
 */
export const owedSql = (share: string, pool: string): string =>
  `div(${share}.shares * (${pool}.accumulator - ${share}.settled_at) + ${share}.fraction, ${POOL_SCALE})`;
