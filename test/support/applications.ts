import type { Ledger } from '@app/ledger';
import { Projections } from '@app/projections';
import { LEDGER } from '../../apps/api/src/platform/ledger/injected-ledger.js';
import type { TestAnswer, TestApi, TestMember } from './api.js';
import { bearer, registerApplication as register, type TestApplication as Registered, tokensFor } from './oauth.js';

export interface TestApplication extends Registered {
  readonly name: string;
  readonly developer: TestMember;
}

/** An application of a developer, registered as the portal does it. */
export async function registerApplication(developer: TestMember, name = 'Chess Club'): Promise<TestApplication> {
  return { ...(await register(developer, { name })), name, developer };
}

/** An application that acts for a member: it uses the token API with only the token. */
export class TestToken {
  constructor(
    private readonly api: Pick<TestApi, 'browser'>,
    readonly value: string,
  ) {}

  get(path: string): Promise<TestAnswer> {
    return this.send('GET', path);
  }

  post(path: string, body: unknown, key?: string): Promise<TestAnswer> {
    return this.send('POST', path, body, key === undefined ? {} : { 'idempotency-key': key });
  }

  send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TestAnswer> {
    return this.api.browser().send(method, path, { body, headers: { ...bearer(this.value), ...headers } });
  }
}

interface Consented {
  readonly scopes?: readonly string[];
  /** Nova. */
  readonly dailyLimit?: number;
}

/** The token of an application to which a member signed in and consented. */
export async function authorize(
  api: Pick<TestApi, 'browser'>,
  member: TestMember,
  application: TestApplication,
  { scopes = ['openid', 'nova'], dailyLimit = 5_000 }: Consented = {},
): Promise<TestToken> {
  const { access_token } = await tokensFor(api, member, application, { scopes, dailyLimit });
  return new TestToken(api, access_token);
}

/** Waits until lists and balances include all movements so far: on a busy machine answers come earlier. */
export async function settled({ nova: { app } }: TestApi): Promise<void> {
  const names = ['balances', 'statements', 'sent_gifts', 'applications'];
  const { revision } = app.get<Ledger>(LEDGER);
  expect(await app.get(Projections).waitFor(names, revision, 30_000)).toEqual({ projected: true });
}
