import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fastifyCookie from '@fastify/cookie';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyError, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { Logger as NestLogger } from 'nestjs-pino';
import type { DestinationStream } from 'pino';
import { ChannelListener, MemoryEventStore } from '@app/event-store';
import { LedgerWriter, PostgresClock, SignedStore } from '@app/ledger';
import { LISTENER_NAME, ProjectionRunner } from '@app/projections';
import type { StripeStandIn } from '@app/stripe-stand-in';
import { AppModule } from './app.module.js';
import { DemoWord } from './identity/demo-word.js';
import { Sessions } from './identity/sessions.js';
import { mountProvider } from './oauth/provider/mount-provider.js';
import { ApplicationCalls } from './oauth/application-calls.js';
import { OAuthProvider } from './oauth/provider/oauth-provider.js';
import { mountStandIn } from './payments/payment-connection.js';
import { STRIPE_STAND_IN } from './payments/payments.module.js';
import { findCookie, SESSION_COOKIE } from './platform/auth/cookies.js';
import { pageStarts } from './page-starts.js';
import type { Config } from './platform/config.js';
import { createDataSource, migrate, openDataSource, poolOf } from './platform/database/data-source.js';
import { checkRights, explainMissingRight } from './platform/database/database-rights.js';
import { sendError } from './platform/errors/exception.filter.js';
import { Metrics } from './platform/health/metrics.js';
import { ReadinessChecks } from './platform/health/readiness.js';
import { canonicalAddress } from './platform/http/address.js';
import { acceptBodies, BODY_BYTES_MAX } from './platform/http/bodies.js';
import { closeInOrder } from './platform/http/closing.js';
import { compressAnswers } from './platform/http/compressed.js';
import { serveClient } from './platform/http/client-files.js';
import { warnOfForwarding } from './platform/http/forwarding.js';
import { rememberRoutes } from './platform/http/known-routes.js';
import { refuseMalformed } from './platform/http/malformed.js';
import { refuseForeignOrigin } from './platform/http/origin.js';
import { answerUnchanged } from './platform/http/unchanged.js';
import { securityHeaders } from './platform/http/security-headers.js';
import { closeJournal, openJournal } from './platform/journal/journal.js';
import { openLedger, type OpenLedger } from './platform/ledger/open-ledger.js';
import { createLogger, logRequests, newRequestId, withoutBuilding } from './platform/logging.js';
import { committedDocument } from './platform/openapi/committed-document.js';
import { serveDocument } from './platform/openapi/serve-document.js';
import type { PlatformParts } from './platform/platform.module.js';
import { startTracing } from './platform/tracing/start-tracing.js';
import { traceRequests } from './platform/tracing/trace-requests.js';
import { limitVisitors } from './platform/rate-limit/limit-visitors.js';
import { endTurnsWithAnswers } from './platform/rate-limit/turns.js';
import { RateLimits } from './platform/rate-limit/rate-limits.js';
import { TRANSFER_MS_MAX } from './platform/uploads/upload-limits.js';
import { routedAddress } from './realtime/entrance.js';
import { LiveEngine } from './realtime/live-engine.js';
import { NovaIoAdapter } from './realtime/nova-io.adapter.js';
import { AREA_TABLES, SCHEMA } from './schema.js';
import { openTokenApiToPages } from './app-money/other-origins.js';

/** Longer than a proxy's request is on its way to a connection that it believes to be open. */
const LINGER_MS = 1_000;

export interface AppOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  /** The built client; nothing is served where it is absent. */
  readonly clientFolder?: string;
  /** Progress for whoever waits in a terminal. */
  readonly log?: (line: string) => void;
  /** Gets the structured logs, instead of standard output. */
  readonly logTo?: DestinationStream;
  /** The compiled thread that writes snapshots of the ledger; none are written where it is absent. */
  readonly snapshotWorker?: URL;
  /** The compiled thread that reads a long journal at the start; the start reads alone where it is absent. */
  readonly journalWorker?: URL;
  /** The compiled thread that feeds the read models; they are fed beside the requests where it is absent. */
  readonly projectionsWorker?: URL;
  /** The ledger's state can no longer be trusted: the process must end. */
  readonly onFatal?: (error: unknown) => void;
}

export interface NovaApp {
  readonly app: NestFastifyApplication;
  /** Says at `/health/ready` that it will stop, and serves everything for so long; until `signal` is aborted at the latest. */
  drain(seconds: number, signal: AbortSignal): Promise<void>;
  /** Answers what is under way, then closes everything in turn, the database last. */
  close(): Promise<void>;
}

/** Connects, migrates and builds the whole application; it does not listen yet. */
export async function createApp(options: AppOptions): Promise<NovaApp> {
  const { config, databaseUrl, clientFolder, log } = options;
  const say = log ?? (() => undefined);
  const logger = createLogger(config.logLevel, options.logTo);
  /** Open resources, newest last, closed in reverse order. */
  const open: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const part of open.splice(0).toReversed()) await part();
  };
  try {
    if (config.traceEndpoint !== undefined) open.push(await startTracing(config.traceEndpoint, logger));
    await migrate(databaseUrl, SCHEMA, log);
    const dataSource = await openDataSource(databaseUrl, SCHEMA);
    open.push(() => dataSource.destroy());
    const listener = new ChannelListener({ connectionString: databaseUrl, application_name: LISTENER_NAME });
    open.push(() => listener.close());
    const { projectionsWorker } = options;
    const pool = poolOf(dataSource);
    await checkRights(dataSource, say);
    for (const warning of config.warnings) say(`Warning: ${warning}`);
    const journal = await openJournal({ config, databaseUrl, pool, listener, logger, log, projectionsWorker });
    open.push(() => closeJournal(journal));
    const ledger = await openLedger({
      config,
      databaseUrl,
      store: journal.store,
      envelope: journal.envelope,
      logger,
      log,
      snapshotWorker: options.snapshotWorker,
      journalWorker: options.journalWorker,
      onFatal: options.onFatal ?? fail,
    });
    open.push(() => ledger.close());
    if (journal.store instanceof SignedStore) journal.store.writesUnless(() => ledger.writer.halted);
    const app = await build({
      config,
      dataSource,
      tables: AREA_TABLES,
      listener,
      journal,
      ledger,
      logger,
      securityHeaders: await securityHeaders(config),
    });
    open.push(() => app.close());
    open.push(await prepareHttp(app, config, clientFolder));
    return { app, drain: (seconds, signal) => drain(app, seconds, signal), close };
  } catch (error) {
    await close();
    throw explainMissingRight(error);
  }
}

async function drain(app: NestFastifyApplication, seconds: number, signal: AbortSignal): Promise<void> {
  app.get(ReadinessChecks).add('shutdown', () => ({ ok: false, detail: 'the server is stopping' }));
  await sleep(seconds * 1_000, undefined, { signal }).catch(() => undefined);
}

/** How the process ends if nobody ends it in an orderly way. */
function fail(error: unknown): never {
  throw new Error('the ledger stopped', { cause: error });
}

/** The application for its description alone: no part is made, nothing is connected. */
export async function createPreview(config: Config): Promise<NestFastifyApplication> {
  const nowhere = 'postgres://none';
  const store = new MemoryEventStore();
  const parts: PlatformParts = {
    config,
    dataSource: createDataSource(nowhere, SCHEMA),
    tables: AREA_TABLES,
    listener: new ChannelListener({ connectionString: nowhere }),
    journal: {
      store,
      projections: new ProjectionRunner({ store, connectionString: nowhere, models: [] }),
      envelope: 2,
    },
    ledger: previewLedger(store),
    logger: createLogger('silent'),
    securityHeaders: {},
  };
  const options = { preview: true, logger: false } as const;
  return NestFactory.create<NestFastifyApplication>(AppModule.register(parts), new FastifyAdapter(), options);
}

/** A ledger that was never started. */
function previewLedger(store: MemoryEventStore): OpenLedger {
  const clock = new PostgresClock({ query: () => Promise.reject(new Error('no database')) } as never);
  const keyIndex = { find: () => Promise.reject(new Error('no database')) };
  const connections = { totalCount: 0, idleCount: 0, waitingCount: 0 };
  const writer = new LedgerWriter({ store, clock, keyIndex });
  return { clock, writer, connections, trust: undefined, breaches: 0, close: () => Promise.resolve() };
}

async function build(parts: PlatformParts): Promise<NestFastifyApplication> {
  const { config, logger, securityHeaders: headers } = parts;
  const adapter = new FastifyAdapter({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    // Before the router, so that routes, hooks and logs read the same address.
    rewriteUrl: ({ url = '/' }) => routedAddress(canonicalAddress(url)),
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: TRANSFER_MS_MAX,
    // What still arrives on open connections while the server closes is answered like everything.
    return503OnClosing: false,
    trustProxy: config.trustProxy,
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: (error, socket) => refuseMalformed(error, socket, headers),
    // What the router itself refuses never reaches the hooks and filters.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      sendError(request, reply.headers(headers), error),
  });
  adapter.getInstance().addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.register(parts), adapter, {
    bufferLogs: true,
    abortOnError: false,
    bodyParser: false,
  });
  app.useLogger(withoutBuilding(app.get(NestLogger)));
  app.flushLogs();
  return app;
}

/** @returns what takes no new connections from then on */
async function prepareHttp(
  app: NestFastifyApplication,
  config: Config,
  clientFolder: string | undefined,
): Promise<() => Promise<void>> {
  const fastify = app.getHttpAdapter().getInstance();
  const publicOrigin = new URL(config.publicUrl).origin;
  rememberRoutes(fastify);
  await app.get(LiveEngine).serve(fastify);
  app.useWebSocketAdapter(app.get(NovaIoAdapter));
  traceRequests(fastify);
  logRequests(fastify, config.probeLogLevel);
  app.get(ApplicationCalls).watch(fastify);
  app.get(Metrics).countRequests(fastify);
  app.get(Metrics).showBuild(config.version);
  await fastify.register(fastifyCookie, { secret: config.secrets.session });
  openTokenApiToPages(fastify);
  const sessions = app.get(Sessions);
  app.get(DemoWord).mark(fastify);
  limitVisitors(fastify, app.get(RateLimits).visitorCalls, {
    isMade: ({ cookies, headers }) =>
      headers.authorization !== undefined || findCookie(config, SESSION_COOKIE, (name) => cookies[name]) !== undefined,
    wasRight: ({ cookies }) => sessions.isRemembered((name) => cookies[name]),
  });
  endTurnsWithAnswers(fastify);
  answerUnchanged(fastify);
  compressAnswers(fastify);
  warnOfForwarding(fastify, config.trustProxy);
  await acceptBodies(fastify);
  const stopAccepting = closeInOrder(fastify, config.drainSeconds > 0 ? LINGER_MS : 0);
  fastify.addHook('onRequest', (request, _reply, done) => {
    try {
      refuseForeignOrigin(request, publicOrigin);
      done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
  await mountProvider(fastify, {
    provider: app.get(OAuthProvider),
    config,
    limits: app.get(RateLimits),
    findMember: async ({ cookies, ip }) => (await sessions.ofBrowser((name) => cookies[name], ip))?.member,
  });
  const standIn = app.get<StripeStandIn | undefined>(STRIPE_STAND_IN);
  if (standIn) mountStandIn(fastify, standIn);
  serveDocument(app, committedDocument());
  if (clientFolder) await serveClient(fastify, path.resolve(clientFolder), pageStarts(config));
  await app.init();
  return stopAccepting;
}
