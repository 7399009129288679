import { READ_SCHEMA } from '../schema.js';
import type { Queryable } from '../tables/queryable.js';

export interface FoundKeys {
  /** The last ledger revision that the index includes, in the same snapshot. */
  readonly through: number;
  readonly found: ReadonlyMap<string, { readonly fingerprint: string; readonly revision: number }>;
}

/** Reads the read model `key_index` for the ledger's writer. It implements the writer's port `KeyIndex`. */
export class KeyIndexQueries {
  constructor(private readonly db: Queryable) {}

  /** @param hashes 32 hex digits each */
  async find(hashes: readonly string[]): Promise<FoundKeys> {
    const result = await this.db.query<{
      through: string;
      hash: string | null;
      fingerprint: string | null;
      revision: string | null;
    }>({
      name: 'find keys',
      text: `select c.revision as through, encode(k.hash, 'hex') as hash, encode(k.fingerprint, 'hex') as fingerprint, k.revision
        from ${READ_SCHEMA}.checkpoint c left join ${READ_SCHEMA}.ledger_key k on k.hash = any($1::bytea[])
        where c.name = 'key_index'`,
      values: [hashes.map((hash) => `\\x${hash}`)],
    });
    const found = new Map<string, { fingerprint: string; revision: number }>();
    for (const { hash, fingerprint, revision } of result.rows) {
      if (hash && fingerprint) found.set(hash, { fingerprint, revision: Number(revision) });
    }
    return { through: Number(result.rows[0]?.through ?? -1), found };
  }
}
