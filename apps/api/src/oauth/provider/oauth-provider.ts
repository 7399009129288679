import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { isRegistered } from '@app/domain';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import callContexts from 'oidc-provider/lib/helpers/als.js';
import { type Configuration, errors, type Interaction, type InteractionResults, Provider } from 'oidc-provider';
import type pg from 'pg';
import { type Config, InjectConfig } from '../../platform/config.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { ApplicationCalls } from '../application-calls.js';
import { ApplicationSecrets } from '../application-secrets.js';
import { Consents } from '../consents.js';
import { AUTHORIZATION_BYTES_MAX, DEVICE_POLL_SECONDS, STATE_BYTES_MAX } from '../limits.js';
import { renderErrorPage } from './error-page.js';
import { beginWithNobody, followMemberSession, RequestMembers } from './member-session.js';
import { MemberClaims } from './member-claims.js';
import { mayDeny, providerConfiguration, testConfiguration } from './provider-configuration.js';
import { isSecret } from '../new-secret.js';
import { OWN_SCOPES } from '../own-scopes.js';
import { addOwnGrant } from './client-credentials-grant.js';
import { APP_LINKS, type KeptSecret, SECRETS } from './provider-clients.js';
import { signingKeys } from './signing-keys.js';
import { SCOPE_WHEN_ABSENT } from '../scopes.js';

/** The scope that every request has (rule oauth-10). */
const SCOPE_ALWAYS = 'openid';

/** Errors that are answers to `prompt=none` (OpenID Connect Core §3.1.2.6). */
const ANSWERS = new Set(['login_required', 'interaction_required', 'consent_required', 'account_selection_required']);

type Mode = 'live' | 'test';

interface Running {
  readonly provider: Provider;
  readonly answer: ReturnType<Provider['callback']>;
}

/** Node's request and response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** An exchange with a browser, and the address at which the browser reached us. */
export interface BrowserExchange extends Exchange {
  readonly address: string;
}

/**
 * oidc-provider, configured for this product. It implements the protocol; we decide who is signed in and who has
 * consented.
 */
@Injectable()
export class OAuthProvider implements OnModuleInit {
  private readonly logger = new Logger(OAuthProvider.name);
  readonly members = new RequestMembers();
  /** The id of the secret that proved an application. */
  private readonly provenBy = new WeakMap<IncomingMessage, string>();
  /** How many calls of the protocol are not answered yet. */
  private underWay = 0;
  private readonly running = new Map<Mode, Running>();

  constructor(
    @InjectConfig() private readonly config: Config,
    @InjectPool() private readonly pool: pg.Pool,
    private readonly claims: MemberClaims,
    private readonly consents: Consents,
    private readonly secrets: ApplicationSecrets,
    private readonly calls: ApplicationCalls,
  ) {}

  async onModuleInit(): Promise<void> {
    const { config, pool, claims: members, consents } = this;
    const keys = config.oidcKeys ?? (await signingKeys(path.join(config.dataDir, 'secrets', 'oidc-keys')));
    const secretOf = (request: IncomingMessage): string | undefined => this.provenBy.get(request);
    const parts = { config, pool, members, keys, consents, requestMembers: this.members, secretOf };
    const live = this.start(providerConfiguration(parts));
    followMemberSession(live, this.members);
    // A link to our sign-in must not redirect to wherever its parameters say (RFC 9700 §4.11.2). That the user would
    // have to sign in or decide is no fault of the request: an application that asks without a screen must learn it.
    live.on('authorization.error', ({ req }, error) => {
      if (!this.members.of(req) && !ANSWERS.has(error.error)) Object.assign(error, { allow_redirect: false });
    });
    this.running.set('live', { provider: live, answer: live.callback() });
    const test = this.start(testConfiguration(parts));
    beginWithNobody(test);
    // Whoever comes back from the screen has decided there.
    test.on('authorization.error', ({ oidc }, error) => {
      if (oidc.route !== 'resume' && !ANSWERS.has(error.error)) Object.assign(error, { allow_redirect: false });
    });
    this.running.set('test', { provider: test, answer: test.callback() });
  }

  private start(configuration: Configuration): Provider {
    const { config } = this;
    const provider = new Provider(config.publicUrl, configuration);
    // The code that passes requests on says how this server is reached.
    provider.proxy = true;
    provider.silent = true;
    const { secrets, calls, provenBy } = this;
    provider.Client.prototype.compareClientSecret = async function compareClientSecret(actual) {
      const secret = (this[SECRETS] as readonly KeptSecret[]).find(({ hash }) => isSecret(actual, hash));
      const request = Provider.ctx?.req;
      if (!secret || !request) return false;
      provenBy.set(request, secret.id);
      calls.isOf(request, { clientId: this.clientId, credential: 'secret', secretName: secret.name });
      await secrets.noteUse(this.clientId, secret.hash);
      return true;
    };
    addOwnGrant(provider);
    provider.Client.prototype.redirectUriAllowed = function redirectUriAllowed(uri) {
      return isRegistered([...(this.redirectUris ?? []), ...(this[APP_LINKS] as string[])], uri);
    };
    provider.use((ctx, next) => {
      const fault =
        ctx.path === provider.pathFor('authorization') ? faultOf(config, ctx.querystring, ctx.query) : undefined;
      if (fault === undefined) return next();
      ctx.status = 400;
      return renderErrorPage(ctx, { error: 'invalid_request', error_description: fault });
    });
    provider.use((ctx, next) => {
      const { scope, prompt } = ctx.query;
      // A parameter that is sent twice is refused.
      if (ctx.path === provider.pathFor('authorization') && !Array.isArray(scope) && !Array.isArray(prompt)) {
        ctx.query = {
          ...ctx.query,
          scope: scope ? `${SCOPE_ALWAYS} ${scope}` : SCOPE_WHEN_ABSENT,
          ...(prompt === undefined ? {} : { prompt: withSignIn(prompt) }),
        };
      }
      return next();
    });
    provider.use(async (ctx, next) => {
      await next();
      const refusal = (ctx.body as { error?: unknown } | undefined)?.error;
      if (typeof refusal === 'string') calls.isRefused(ctx.req, refusal);
      if (ctx.oidc?.route === 'discovery') complete(ctx.body);
      if (ctx.oidc?.route === 'device_authorization' && 'device_code' in ctx.body) {
        ctx.body.interval = DEVICE_POLL_SECONDS;
      }
    });
    provider.on('server_error', (_ctx, error) => this.logger.error({ err: error }, 'the OAuth provider failed'));
    return provider;
  }

  /** Answers a call of the protocol. @param mode `test` for authorizations of test clients alone */
  async answer({ request, response }: Exchange, mode: Mode = 'live'): Promise<void> {
    this.underWay += 1;
    try {
      await this.parts(mode).answer(request, response);
    } finally {
      this.underWay -= 1;
      // After the first context, every promise of the process costs more (before Node 24), until contexts are disabled.
      if (this.underWay === 0) callContexts.disable();
    }
  }

  /**
   * The authorization that waits for a decision in the calling browser; undefined if there is none, or it has expired.
   */
  async interaction({ request, response }: Exchange, mode: Mode = 'live'): Promise<Interaction | undefined> {
    try {
      return await this.parts(mode).provider.interactionDetails(request, response);
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return undefined;
      throw error;
    }
  }

  /** Ends the waiting authorization. Returns the address at which the browser continues. */
  decide({ request, response }: Exchange, result: InteractionResults, mode: Mode = 'live'): Promise<string> {
    return this.parts(mode).provider.interactionResult(request, response, result, { mergeWithLastSubmission: false });
  }

  /** Records what a member granted and refused; returns the grant's id. */
  grant({ memberId, clientId, granted, refused }: NewGrant): Promise<string> {
    const grant = new (this.parts('live').provider.Grant)({ accountId: memberId, clientId });
    grant.addOIDCScope([...granted]);
    if (refused.length > 0) grant.rejectOIDCScope([...refused]);
    return grant.save();
  }

  private parts(mode: Mode): Running {
    const running = this.running.get(mode);
    if (!running) throw new Error('the OAuth provider has not been started');
    return running;
  }
}

/**
 * Faults of an authorization request, checked before the library reads it. The sizes are limited because the request is
 * kept while the member decides.
 */
function faultOf(
  config: Config,
  query: string,
  { state }: { readonly state?: string | string[] | undefined },
): string | undefined {
  if (Buffer.byteLength(String(state ?? '')) > STATE_BYTES_MAX) return 'state is longer than 2 kB';
  if (query.length > AUTHORIZATION_BYTES_MAX) return 'the request is longer than 8 kB';
  if (query.includes('%00')) return 'a parameter holds a character that cannot be used';
  // A foreign link must not tell an application that the member denied access.
  if (!mayDeny(config, new URLSearchParams(query))) return 'only the consent screen may say that access was denied';
  return undefined;
}

/** A browser has one member at a time: another account is chosen by signing in with it. */
const withSignIn = (prompt: string): string => prompt.replaceAll(/\bselect_account\b/g, 'login');

/**
 * Adds which prompts there are (OpenID Connect Prompt Create §3) and the scopes that applications have for themselves, and takes
 * away what the library says too much.
 */
function complete(metadata: {
  claims_supported: string[];
  scopes_supported: string[];
  prompt_values_supported?: string[];
}): void {
  metadata.scopes_supported = [...metadata.scopes_supported, ...OWN_SCOPES];
  metadata.prompt_values_supported = ['none', 'login', 'consent', 'select_account'];
  // Only applications that are notified of signing out need it, and none is.
  metadata.claims_supported = metadata.claims_supported.filter((claim) => claim !== 'sid');
}

export interface NewGrant {
  readonly memberId: string;
  readonly clientId: string;
  readonly granted: readonly string[];
  readonly refused: readonly string[];
}
