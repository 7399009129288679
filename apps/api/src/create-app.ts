import path from 'node:path';
import fastifyCookie from '@fastify/cookie';
import fastifyHelmet from '@fastify/helmet';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Logger as NestLogger } from 'nestjs-pino';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { AppModule } from './app.module.js';
import type { Config } from './platform/config.js';
import { createDataSource, migrate } from './platform/database/data-source.js';
import { sendError } from './platform/errors/exception.filter.js';
import { Metrics } from './platform/health/metrics.js';
import { acceptBodies } from './platform/http/bodies.js';
import { serveClient } from './platform/http/client-files.js';
import { refuseForeignOrigin } from './platform/http/origin.js';
import { securityHeaders } from './platform/http/security-headers.js';
import { createLogger, logRequests, requestId } from './platform/logging.js';
import { createOpenApiDocument } from './platform/openapi/document.js';
import { SCHEMA } from './schema.js';

/** S0 names no limit for bodies: 1 MB, as the product's own largest (a command) is a few kB. */
const BODY_BYTES_MAX = 1_048_576;

export interface AppOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  /** The built client; nothing is served where it is absent. */
  readonly clientFolder?: string;
  /** Progress for whoever waits in a terminal. */
  readonly log?: (line: string) => void;
}

export interface NovaApp {
  readonly app: NestFastifyApplication;
  /** Answers what is under way, then closes everything in turn, the database last. */
  close(): Promise<void>;
}

/** Connects, migrates and builds the whole application; it does not listen yet. */
export async function createApp(options: AppOptions): Promise<NovaApp> {
  const { config, databaseUrl, clientFolder, log } = options;
  const dataSource = createDataSource(databaseUrl, SCHEMA);
  await dataSource.initialize();
  try {
    await migrate(dataSource, log);
    const app = await build(config, dataSource, createLogger(config.logLevel));
    await prepareHttp(app, config, clientFolder);
    return {
      app,
      async close() {
        await app.close();
        await dataSource.destroy();
      },
    };
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

/** The application for its description alone: no part is made, nothing is connected. */
export async function createPreview(config: Config): Promise<NestFastifyApplication> {
  const dataSource = createDataSource('postgres://none', SCHEMA);
  return NestFactory.create<NestFastifyApplication>(
    AppModule.register({ config, dataSource, logger: createLogger('silent') }),
    new FastifyAdapter(),
    { preview: true, logger: false },
  );
}

async function build(config: Config, dataSource: DataSource, logger: Logger): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    loggerInstance: logger,
    disableRequestLogging: true,
    genReqId: requestId,
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: config.trustProxy,
    routerOptions: { maxParamLength: 200 },
    // What the router itself refuses never reaches the filters.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      sendError(request, reply, error),
  });
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.register({ config, dataSource, logger }),
    adapter,
    { bufferLogs: true, abortOnError: false, bodyParser: false },
  );
  app.useLogger(app.get(NestLogger));
  app.flushLogs();
  return app;
}

async function prepareHttp(
  app: NestFastifyApplication,
  config: Config,
  clientFolder: string | undefined,
): Promise<void> {
  const fastify = app.getHttpAdapter().getInstance();
  const publicOrigin = new URL(config.publicUrl).origin;
  logRequests(fastify);
  app.get(Metrics).countRequests(fastify);
  await fastify.register(fastifyHelmet, securityHeaders(config));
  await fastify.register(fastifyCookie, { secret: config.secrets.session });
  acceptBodies(fastify);
  fastify.addHook('onRequest', (request, _reply, done) => {
    try {
      refuseForeignOrigin(request, publicOrigin);
      done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
  const document = createOpenApiDocument(app);
  SwaggerModule.setup('api/docs', app, document, { jsonDocumentUrl: 'api/openapi.json', customSiteTitle: 'Nova API' });
  if (clientFolder) await serveClient(fastify, path.resolve(clientFolder));
  await app.init();
}
