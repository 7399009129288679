import { isTestClientId } from '@app/domain';
import { groupedLookups } from '@app/event-store';
import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { tokenId } from './provider/token-id.js';
import { isScope, type Scope } from './scopes.js';
import { testDeveloperId } from './test-mode/test-members.js';

/** The application and the member of a bearer token, and its scopes. */
export interface AccessToken {
  readonly memberId: string;
  readonly clientId: string;
  /** The application's developer; in test mode a made-up one. */
  readonly ownerId: string;
  /** False for a token of a test client, whose member is made up. */
  readonly livemode: boolean;
  readonly applicationName: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Minor units of Nova a UTC day, for spend and transfer. */
  readonly dailyLimit: bigint;
}

/**
 * A token is valid while its grant, the member's consent, the application and both accounts are. It covers no more than
 * the application and the consent do.
 */
const FIND = `
  select t.id, t.account_id, t.client_id, a.owner_id, a.name, coalesce(x.generation, 0) as generation, t.payload->>'scope' as scope, c.daily_limit,
    array(select unnest(a.scopes) intersect select unnest(c.scopes)) as allowed
  from oauth_payloads t
  join oauth_payloads g on g.model = 'Grant' and g.id = t.grant_id and g.expires_at > now()
  join oauth_applications a on a.client_id = regexp_replace(t.client_id, '^test_', '')
    and a.is_active and a.deleted_at is null
  left join oauth_test_clients x on x.application_id = a.client_id
  join oauth_living_consents c on c.user_id = t.account_id and c.client_id = t.client_id
  left join member_directory m on m.id = t.account_id and m.closed_at is null
  join member_directory o on o.id = a.owner_id and o.closed_at is null
  where t.model = 'AccessToken' and t.id = any($1) and t.expires_at > now()
    and (m.id is not null or t.client_id <> a.client_id)`;

interface TokenRow {
  readonly id: string;
  readonly account_id: string;
  readonly client_id: string;
  readonly owner_id: string;
  readonly name: string;
  readonly generation: number;
  readonly scope: string | null;
  /** The scopes that the application may ask for and the member consents to, now. */
  readonly allowed: readonly string[];
  readonly daily_limit: string;
}

/**
 * Bearer tokens of the token API (rule apps-1). Every call asks the database, so a revoked token ends at once
 * everywhere.
 */
@Injectable()
export class AccessTokens {
  private readonly findOne = groupedLookups((ids) => this.findMany(ids));

  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** The current rights of a bearer token; undefined if it is unknown, expired or revoked. */
  find(bearer: string): Promise<AccessToken | undefined> {
    return this.findOne(tokenId(bearer));
  }

  private async findMany(ids: readonly string[]): Promise<ReadonlyMap<string, AccessToken>> {
    const { rows } = await this.pool.query<TokenRow>({ name: 'find-access-tokens', text: FIND, values: [ids] });
    return new Map(rows.map((row) => [row.id, accessTokenOf(row)]));
  }
}

function accessTokenOf(row: TokenRow): AccessToken {
  const granted = (row.scope ?? '').split(' ').filter(isScope);
  const livemode = !isTestClientId(row.client_id);
  return {
    memberId: row.account_id,
    clientId: row.client_id,
    ownerId: livemode ? row.owner_id : testDeveloperId(row.client_id, row.generation),
    livemode,
    applicationName: row.name,
    scopes: new Set(granted.filter((scope) => row.allowed.includes(scope))),
    dailyLimit: BigInt(row.daily_limit),
  };
}
