import type { Pool } from 'pg';

/** Runs queries: a pool, or a client inside the caller's transaction. */
export type Queryable = Pick<Pool, 'query'>;
