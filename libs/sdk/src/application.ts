import { SignInError } from './errors.js';
import { Http, type HttpCall, type HttpOptions } from './http.js';
import { OwnToken } from './own-token.js';
import { pages } from './pages.js';
import type { components, operations } from './schema.js';
import { WebhookEndpoints } from './webhook-endpoints.js';

type Schemas = components['schemas'];
type AnswerOf<O extends keyof operations> = operations[O] extends {
  responses: { 200: { content: { 'application/json': infer A } } };
}
  ? A
  : never;

type TokenAnswer = AnswerOf<'exchangeToken'>;
/** Of a member. */
export type Tokens = TokenAnswer & { readonly refresh_token: string };
export type Userinfo = AnswerOf<'getUserinfo'>;
export type Balances = Schemas['TokenBalancesDto'];
export type Movement = Schemas['TokenMovementDto'];
export type Earned = Schemas['TokenMovementDoneDto'];
export type Spent = Schemas['TokensSpentDto'];
export type Transferred = Schemas['TokensTransferredDto'];
export type Transaction = Schemas['TokenTransactionDto'];
export type Wallet = Schemas['ApplicationWalletDto'];
export type WalletEntry = Schemas['WalletEntryDto'];
export type BulkPaid = Schemas['BulkPaidDto'];
export type ConsentingMember = Schemas['ConsentingMemberDto'];
export type LoggedCall = Schemas['ApplicationCallDto'];

export interface ApplicationOptions extends HttpOptions {
  readonly clientId: string;
  /** Absent for a public application, which proves itself by PKCE alone. */
  readonly clientSecret?: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface CommandOptions extends CallOptions {
  /** One for each action: the same again has no second effect. A new one for each call if absent. */
  readonly idempotencyKey?: string;
}

export interface ListOptions extends CallOptions {
  /** How many are asked for at a time. */
  readonly pageSize?: number;
}

/** A sign-in that has begun. */
export interface BegunSignIn {
  readonly redirectUri: string;
  readonly state: string;
  readonly codeVerifier: string;
}

/** An application of the Developer Portal. */
export class NovaApplication {
  /** Where it is told what happens. */
  readonly webhooks: WebhookEndpoints;
  private readonly http: Http;
  /** For what the application does in its own name. */
  private readonly ownToken = new OwnToken(() => {
    const form = { grant_type: 'client_credentials', ...this.proof() };
    return this.http.send<TokenAnswer>({ method: 'POST', path: '/oauth/token', form, isRepeatable: true });
  });

  constructor(private readonly options: ApplicationOptions) {
    this.http = new Http(options);
    this.webhooks = new WebhookEndpoints(options.clientId, (call) => this.own(call));
  }

  /** Where a member's browser is sent to sign in. Keep the answer with the visit: `callback` needs it. */
  async authorization({
    redirectUri,
    scopes,
  }: {
    redirectUri: string;
    scopes: readonly string[];
  }): Promise<BegunSignIn & { readonly url: string }> {
    const [state, codeVerifier] = [random(), random()];
    const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier));
    const url = new URL('/oauth/authorize', this.options.origin);
    url.search = new URLSearchParams({
      client_id: this.options.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: scopes.join(' '),
      state,
      code_challenge: base64url(new Uint8Array(challenge)),
      code_challenge_method: 'S256',
    }).toString();
    return { url: url.href, redirectUri, state, codeVerifier };
  }

  /**
   * The tokens for what a browser brought back to the redirect URI. Their `scope` says what the member granted.
   * @param query of the address to which it came back
   * @param begun what was kept with this visit, once; undefined if nothing was
   * @throws SignInError it answers no sign-in of this visit, or the member said no
   */
  async callback(query: URLSearchParams, begun: BegunSignIn | undefined): Promise<Tokens> {
    if (!begun || query.get('state') !== begun.state) {
      throw new SignInError('state', 'This answers no sign-in that began in this browser.');
    }
    const code = query.get('code');
    if (code !== null) return this.exchange({ ...begun, code });
    const error = query.get('error') ?? 'invalid_response';
    throw new SignInError(error, query.get('error_description') ?? error);
  }

  /** The tokens for a code; it works once, for a minute. `callback` also looks at what came with it. */
  exchange({
    code,
    redirectUri,
    codeVerifier,
  }: {
    code: string;
    redirectUri: string;
    codeVerifier: string;
  }): Promise<Tokens> {
    const form = { code, redirect_uri: redirectUri, code_verifier: codeVerifier };
    return this.token({ grant_type: 'authorization_code', ...form });
  }

  /** New tokens. Keep the new refresh token: an old one that comes again ends the sign-in. */
  refresh(refreshToken: string): Promise<Tokens> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  /** Ends a token, and all others of its sign-in. */
  async revoke(token: string): Promise<void> {
    await this.http.send({ method: 'POST', path: '/oauth/revoke', form: { token, ...this.proof() } });
  }

  /** Acts for the member of an access token. */
  member(accessToken: string): NovaMember {
    return new NovaMember(this.http, accessToken);
  }

  /** What the application's wallet holds. */
  wallet(options: CallOptions = {}): Promise<Wallet> {
    return this.own({ method: 'GET', path: '/api/tokens/wallet' }, options);
  }

  /** What went in and out of it, newest first. */
  walletEntries(options: ListOptions = {}): AsyncGenerator<WalletEntry> {
    return this.ownList('/api/tokens/wallet/statement', options, 'entries');
  }

  /** Pays up to 500 members who consented, all of them or none. */
  earnInBulk(items: readonly Schemas['BulkPaymentDto'][], options: CommandOptions = {}): Promise<BulkPaid> {
    const { authorization: _, ...call } = command('/api/tokens/earn/bulk', { items }, '', options);
    return this.own(call, options);
  }

  /** The members who consented, newest first. */
  consentingMembers(options: ListOptions = {}): AsyncGenerator<ConsentingMember> {
    return this.ownList(this.path('members'), options, 'members');
  }

  /** What the application called and how it ended, newest first. */
  calls(options: ListOptions = {}): AsyncGenerator<LoggedCall> {
    return this.ownList(this.path('calls'), options, 'calls');
  }

  private path(list: string): string {
    return `/api/oauth/application/${encodeURIComponent(this.options.clientId)}/${list}`;
  }

  private own<T>(call: HttpCall, { signal }: CallOptions = {}): Promise<T> {
    return this.ownToken.use((authorization) => this.http.send<T>({ ...call, authorization, ...when(signal) }));
  }

  /** @param name of the field of an answer that holds the items */
  private ownList<T>(path: string, { pageSize, signal }: ListOptions, name: string): AsyncGenerator<T> {
    return pages(async (cursor) => {
      const page = await this.own<Readonly<Record<string, unknown>>>(
        { method: 'GET', path, query: { cursor, limit: pageSize } },
        when(signal),
      );
      return [page[name] as readonly T[], page['nextCursor'] as string | null];
    });
  }

  private token(form: Record<string, string>): Promise<Tokens> {
    return this.http.send({ method: 'POST', path: '/oauth/token', form: { ...form, ...this.proof() } });
  }

  private proof(): Record<string, string | undefined> {
    return { client_id: this.options.clientId, client_secret: this.options.clientSecret };
  }
}

/** What an application does for a member who consented. */
export class NovaMember {
  private readonly authorization: string;

  constructor(
    private readonly http: Http,
    accessToken: string,
  ) {
    this.authorization = `Bearer ${accessToken}`;
  }

  userinfo(options: CallOptions = {}): Promise<Userinfo> {
    return this.get('/oauth/userinfo', options);
  }

  /** As far as the scopes of the token show them. */
  balances(options: CallOptions = {}): Promise<Balances> {
    return this.get('/api/oauth/token-balances', options);
  }

  /** From the member to the application's wallet. */
  spend(movement: Movement, options: CommandOptions = {}): Promise<Spent> {
    return this.http.send(command('/api/tokens/spend', movement, this.authorization, options));
  }

  /** From the application's wallet to the member. */
  earn(movement: Movement, options: CommandOptions = {}): Promise<Earned> {
    return this.http.send(command('/api/tokens/earn', movement, this.authorization, options));
  }

  /** A gift of the member to another one. */
  transfer(gift: Schemas['TokenTransferDto'], options: CommandOptions = {}): Promise<Transferred> {
    return this.http.send(command('/api/tokens/transfer', gift, this.authorization, options));
  }

  /** What this application did for this member, newest first. */
  transactions({ pageSize, signal }: ListOptions = {}): AsyncGenerator<Transaction> {
    return pages(async (cursor) => {
      const { transactions, nextCursor } = await this.http.send<Schemas['TokenTransactionsDto']>({
        method: 'GET',
        path: '/api/tokens/transactions',
        query: { cursor, limit: pageSize },
        authorization: this.authorization,
        ...when(signal),
      });
      return [transactions, nextCursor];
    });
  }

  private get<T>(path: string, { signal }: CallOptions): Promise<T> {
    return this.http.send({ method: 'GET', path, authorization: this.authorization, ...when(signal) });
  }
}

const when = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal });

const command = (path: string, json: unknown, authorization: string, options: CommandOptions) => ({
  method: 'POST' as const,
  path,
  json,
  authorization,
  idempotencyKey: options.idempotencyKey ?? crypto.randomUUID(),
  ...when(options.signal),
});

const random = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
