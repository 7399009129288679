import { Injectable } from '@nestjs/common';
import { AFFINITY_TRAITS, affinityScores, type ResonanceHorizon, type ResonanceProfile } from '@app/domain';
import type { Pool } from 'pg';
import { InjectPool } from '../platform/database/database.module.js';

/** A profile, and when it was last saved. */
export interface StoredResonance extends ResonanceProfile {
  readonly updatedAt: Date;
}

interface Row {
  readonly account_id: string;
  readonly horizon: ResonanceHorizon;
  readonly scores: readonly number[];
  readonly current_traits: readonly string[];
  readonly ideal_traits: readonly string[];
  readonly updated_at: Date;
}

const COLUMNS = 'account_id, horizon, scores::float8[] as scores, current_traits, ideal_traits, updated_at';

/** Members' Resonance profiles (rule resonance-1). */
@Injectable()
export class ResonanceStore {
  constructor(@InjectPool() private readonly pool: Pool) {}

  async of(accountId: string): Promise<StoredResonance | undefined> {
    return (await this.find([accountId])).get(accountId);
  }

  /** The profiles of these members, for those who have one; for `compatibility`. */
  async find(accountIds: readonly string[]): Promise<Map<string, StoredResonance>> {
    const { rows } = await this.pool.query<Row>({
      name: 'find resonance profiles',
      text: `select ${COLUMNS} from resonance_profiles where account_id = any($1::uuid[])`,
      values: [accountIds],
    });
    return new Map(rows.map((row) => [row.account_id, fromRow(row)]));
  }

  /** Replaces the member's profile. */
  async save(accountId: string, profile: ResonanceProfile): Promise<StoredResonance> {
    const { rows } = await this.pool.query<Row>(
      `insert into resonance_profiles (account_id, horizon, scores, current_traits, ideal_traits)
       values ($1, $2, $3, $4, $5)
       on conflict (account_id) do update set
         horizon = excluded.horizon,
         scores = excluded.scores,
         current_traits = excluded.current_traits,
         ideal_traits = excluded.ideal_traits,
         updated_at = excluded.updated_at
       returning ${COLUMNS}`,
      [
        accountId,
        profile.horizon,
        AFFINITY_TRAITS.map((trait) => profile.scores[trait]),
        profile.currentTraits,
        profile.idealTraits,
      ],
    );
    const [row] = rows;
    if (!row) throw new Error('the Resonance profile was not written');
    return fromRow(row);
  }
}

const fromRow = (row: Row): StoredResonance => ({
  horizon: row.horizon,
  scores: affinityScores((trait) => {
    const score = row.scores[AFFINITY_TRAITS.indexOf(trait)];
    if (score === undefined) throw new Error(`a Resonance profile has no score for ${trait}`);
    return score;
  }),
  currentTraits: row.current_traits,
  idealTraits: row.ideal_traits,
  updatedAt: row.updated_at,
});
