import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { TestAnswer, TestApi, TestMember } from './api.js';

export interface TestApplication {
  readonly clientId: string;
  readonly name: string;
  readonly developer: TestMember;
}

/** An application of a developer, as the portal registers it. */
export async function registerApplication(
  api: TestApi,
  developer: TestMember,
  name = 'Chess Club',
): Promise<TestApplication> {
  const clientId = randomUUID();
  await api.database.pool.query(
    `insert into oauth_applications (client_id, owner_id, name, redirect_uris, scopes)
     values ($1, $2, $3, '{http://localhost/callback}', '{openid,profile,email,nova,karma,influence}')`,
    [clientId, developer.id, name],
  );
  return { clientId, name, developer };
}

/** An application's way to act for a member: speaks the token API with nothing but the token. */
export class TestToken {
  constructor(
    private readonly url: string,
    readonly value: string,
  ) {}

  get(path: string): Promise<TestAnswer> {
    return this.send('GET', path);
  }

  post(path: string, body: unknown, key?: string): Promise<TestAnswer> {
    return this.send('POST', path, body, key === undefined ? {} : { 'idempotency-key': key });
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TestAnswer> {
    const response = await fetch(new URL(path, this.url), {
      method,
      headers: {
        authorization: `Bearer ${this.value}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? '' : JSON.parse(text) };
  }
}

/** The token that an application gets once a member consented. */
export async function authorize(
  api: TestApi,
  member: TestMember,
  { clientId }: TestApplication,
  {
    scopes = ['openid', 'nova'],
    dailyLimit = 5_000,
  }: { readonly scopes?: readonly string[]; readonly dailyLimit?: number } = {},
): Promise<TestToken> {
  const value = randomBytes(32).toString('base64url');
  const grantId = randomUUID();
  const { pool } = api.database;
  await pool.query(
    `insert into oauth_consents (user_id, client_id, scopes, daily_limit) values ($1, $2, $3, $4)
     on conflict (user_id, client_id) do update set scopes = $3, daily_limit = $4, revoked_at = null`,
    [member.id, clientId, scopes, dailyLimit * 100],
  );
  await pool.query(
    `insert into oauth_payloads (model, id, payload, grant_id, account_id, client_id, expires_at)
     values ('Grant', $1, '{}', null, $2, $3, now() + interval '1 hour'),
       ('AccessToken', $4, jsonb_build_object('scope', $5::text), $1, $2, $3, now() + interval '1 hour')`,
    [grantId, member.id, clientId, createHash('sha256').update(value).digest('base64url'), scopes.join(' ')],
  );
  return new TestToken(api.url, value);
}
