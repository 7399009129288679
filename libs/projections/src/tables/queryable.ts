import type { Pool } from 'pg';

/** What queries run on: a pool, or a client inside the caller's transaction. */
export type Queryable = Pick<Pool, 'query'>;
