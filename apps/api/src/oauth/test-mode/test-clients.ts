import { applicationIdOf, isTestClientId, nextUtcDayMs, testClientIdOf } from '@app/domain';
import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';
import { inTransaction } from '../../platform/database/in-transaction.js';
import { AppError } from '../../platform/errors/app-error.js';
import { toMinor } from '../../wallet/nova-amount.js';
import { type Application, Applications } from '../applications.js';
import { consentOf, type ConsentRow, Consents, type Run, runOn } from '../consents.js';
import { DAILY_LIMIT_DEFAULT, TEST_RESETS_A_DAY_MAX } from '../limits.js';
import { newSecret, secretHash } from '../new-secret.js';
import { isPublicClient } from '../public-client.js';
import { type Scope, SPENDING_SCOPES } from '../scopes.js';
import { type TestMember, testMembersOf } from './test-members.js';

/** The test client of an application (rule apps-11). */
export interface TestClient {
  /** `test_` and the application's client id. */
  readonly clientId: string;
  /** The application itself, with its live client id. */
  readonly application: Application;
  readonly hasSecret: boolean;
  /** How often its test data was reset. */
  readonly generation: number;
  /** How often it may be reset until midnight UTC. */
  readonly resetsLeft: number;
  readonly members: readonly TestMember[];
}

export interface TestConsent {
  readonly memberId: string;
  readonly clientId: string;
  /** Of the test data that the member belongs to. */
  readonly generation: number;
  readonly granted: readonly Scope[];
  readonly refused: readonly Scope[];
  /** Minor units of Nova; undefined keeps the limit chosen before. */
  readonly dailyLimit: bigint | undefined;
}

type ResetListener = (run: Run, clientId: string) => Promise<void>;

const TODAY = `(now() at time zone 'utc')::date`;

const FIND = `
  select secret_hash is not null as "hasSecret", generation,
    case when reset_on = ${TODAY} then resets_today else 0 end as "resetsToday"
  from oauth_test_clients where application_id = $1`;

const RESET = `
  insert into oauth_test_clients as t (application_id, generation, resets_today, reset_on) values ($1, 1, 1, ${TODAY})
  on conflict (application_id) do update set generation = t.generation + 1, reset_on = ${TODAY},
    resets_today = case when t.reset_on = ${TODAY} then t.resets_today + 1 else 1 end
  where t.reset_on is distinct from ${TODAY} or t.resets_today < $2`;

const END_OF_MEMBER = 'delete from oauth_payloads where account_id = $1 and client_id = $2';

const MAKE = 'insert into oauth_test_clients (application_id) values ($1) on conflict do nothing';

/** A reset waits until the decision is written, or comes first. */
const HOLD = 'select from oauth_test_clients where application_id = $1 and generation = $2 for share';

const LOCKED = 'select scopes, daily_limit from oauth_test_consents where user_id = $1 and client_id = $2 for update';

const GIVE = `
  insert into oauth_test_consents as c (user_id, client_id, scopes, daily_limit)
  values ($1, $2, $3, coalesce($5::bigint, $6::bigint))
  on conflict (user_id, client_id) do update set daily_limit = coalesce($5::bigint, c.daily_limit),
    scopes = (select array_agg(distinct scope) from unnest(c.scopes || excluded.scopes) scope where scope <> all($4))
  returning scopes, daily_limit`;

/** Test clients: derived from their applications, so that every application has one, however old it is. */
@Injectable()
export class TestClients {
  private readonly resetListeners: ResetListener[] = [];

  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly applications: Applications,
    private readonly consents: Consents,
  ) {}

  /** Areas that keep test data register here. A listener runs in the transaction that resets it. */
  onReset(listener: ResetListener): void {
    this.resetListeners.push(listener);
  }

  /** By its own client id; undefined if that is none of a test client, or its application is deleted. */
  async find(clientId: string): Promise<TestClient | undefined> {
    if (!isTestClientId(clientId)) return undefined;
    const application = await this.applications.find(applicationIdOf(clientId));
    return application && this.of(application);
  }

  /** @throws AppError 404 the developer has no such application */
  async ownedBy(ownerId: string, applicationId: string): Promise<TestClient> {
    return this.of(await this.applications.ownedBy(ownerId, applicationId));
  }

  /** The test clients of a developer, of deleted applications too. */
  async idsOf(ownerId: string): Promise<string[]> {
    const { rows } = await this.pool.query<{ client_id: string }>(
      'select client_id from oauth_applications where owner_id = $1',
      [ownerId],
    );
    return rows.map(({ client_id }) => testClientIdOf(client_id));
  }

  /** How often its test data was reset. */
  async generation(clientId: string): Promise<number> {
    const { rows } = await this.pool.query<{ generation: number }>({
      name: 'find-test-generation',
      text: 'select generation from oauth_test_clients where application_id = $1',
      values: [applicationIdOf(clientId)],
    });
    return rows[0]?.generation ?? 0;
  }

  /** Makes a secret, or another one. The one before stops working at once. */
  async newSecret({ application }: TestClient): Promise<string> {
    if (application.isPublic) throw isPublicClient();
    const secret = newSecret();
    await this.pool.query(
      `insert into oauth_test_clients (application_id, secret_hash) values ($1, $2)
       on conflict (application_id) do update set secret_hash = excluded.secret_hash`,
      [application.clientId, secretHash(secret)],
    );
    return secret;
  }

  /**
   * Ends the made-up members with their consents and tokens; others come in their place, with a ledger of their own.
   * @throws AppError 429 it was reset too often today
   */
  reset({ clientId, application }: TestClient): Promise<void> {
    return inTransaction(this.pool, async (client) => {
      const { rowCount } = await client.query(RESET, [application.clientId, TEST_RESETS_A_DAY_MAX]);
      if (rowCount !== 1) {
        const message = `Test data can be reset ${TEST_RESETS_A_DAY_MAX} times a day. Try again after midnight UTC.`;
        throw new AppError(429, 'TOO_MANY_REQUESTS', message, { retryAfterSeconds: secondsUntilMidnight(Date.now()) });
      }
      await client.query('delete from oauth_payloads where client_id = $1', [clientId]);
      await client.query('delete from oauth_test_consents where client_id = $1', [clientId]);
      for (const listener of this.resetListeners) await listener(runOn(client), clientId);
    });
  }

  /**
   * Records a made-up member's decision. If it takes back a scope, the member's tokens end, as a member's own do.
   * @returns false if the test data was reset meanwhile
   */
  give({ memberId, clientId, generation, granted, refused, dailyLimit }: TestConsent): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      await client.query(MAKE, [applicationIdOf(clientId)]);
      const held = await client.query(HOLD, [applicationIdOf(clientId), generation]);
      if (held.rowCount !== 1) return false;
      const locked = await client.query<ConsentRow>(LOCKED, [memberId, clientId]);
      const before = locked.rows[0] && consentOf(locked.rows[0]);
      const removed = before?.scopes.filter((scope) => refused.includes(scope)) ?? [];
      if (removed.length > 0) await client.query(END_OF_MEMBER, [memberId, clientId]);
      const limits = [dailyLimit, toMinor(DAILY_LIMIT_DEFAULT)];
      const given = await client.query<ConsentRow>(GIVE, [memberId, clientId, granted, refused, ...limits]);
      for (const row of given.rows) {
        const after = consentOf(row);
        await this.consents.decided(runOn(client), { memberId, clientId, before, after, removed });
      }
      return true;
    });
  }

  /** Those of these made-up members who let the application move their Nova. */
  async spendersOf(clientId: string, memberIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.pool.query<{ user_id: string }>(
      `select c.user_id from oauth_test_consents c
       join oauth_applications a on a.client_id = $4 and $3::text[] <@ a.scopes
       where c.client_id = $1 and c.user_id = any($2::uuid[]) and $3::text[] <@ c.scopes`,
      [clientId, memberIds, SPENDING_SCOPES, applicationIdOf(clientId)],
    );
    return new Set(rows.map(({ user_id }) => user_id));
  }

  private async of(application: Application): Promise<TestClient> {
    const clientId = testClientIdOf(application.clientId);
    const { rows } = await this.pool.query<{ hasSecret: boolean; generation: number; resetsToday: number }>(FIND, [
      application.clientId,
    ]);
    const { hasSecret, generation, resetsToday } = rows[0] ?? { hasSecret: false, generation: 0, resetsToday: 0 };
    const members = testMembersOf(clientId, generation);
    const resetsLeft = Math.max(0, TEST_RESETS_A_DAY_MAX - resetsToday);
    return { clientId, application, hasSecret, generation, resetsLeft, members };
  }
}

const secondsUntilMidnight = (nowMs: number): number => Math.ceil((nextUtcDayMs(nowMs) - nowMs) / 1_000);
