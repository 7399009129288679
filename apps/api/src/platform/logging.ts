import { randomUUID } from 'node:crypto';
import type { LoggerService } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger as NestLogger } from 'nestjs-pino';
import { type DestinationStream, type Logger, pino, type SerializedError } from 'pino';
import type { LogLevel } from './config.js';
import { isHeldBack } from './http/held-back.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the member that a session, a token or a sign-in has proved: for the request's line. */
    provenMember?: string;
    /** Code of the error that answered it: for the request's line. */
    refusedWith?: string;
    /** What made it fail on our side, where that is known. */
    failedBecause?: unknown;
  }
}

/**
 * Structured logs, to standard output unless told otherwise. Requests are logged by `logRequests`, never with a query string:
 * those carry secrets.
 */
export const createLogger = (level: LogLevel, to: DestinationStream = pino.destination()): Logger =>
  pino(
    {
      level,
      serializers: {
        req: (request: FastifyRequest) => ({ method: request.method, path: pathOf(request) }),
        res: (reply: FastifyReply) => ({ statusCode: reply.statusCode }),
        err: describeError,
      },
    },
    to,
  );

/** Parts of Nest that tell how they build the application, in some hundreds of lines: one for each route. */
const BUILDERS: ReadonlySet<unknown> = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'WebSocketsController',
  'NestApplication',
]);

/** Nest's logger, with what its builders tell at the level `debug`. */
export const withoutBuilding = (logger: NestLogger): LoggerService => ({
  log: (message, ...more: unknown[]) => logger[BUILDERS.has(more.at(-1)) ? 'debug' : 'log'](message, ...more),
  fatal: (message, ...more: unknown[]) => logger.fatal(message, ...more),
  error: (message, ...more: unknown[]) => logger.error(message, ...more),
  warn: (message, ...more: unknown[]) => logger.warn(message, ...more),
  debug: (message, ...more: unknown[]) => logger.debug(message, ...more),
  verbose: (message, ...more: unknown[]) => logger.verbose(message, ...more),
});

/** What tells where an error came from. What else libraries put into theirs may be a member's: a statement's parameters, an answer. */
const ERROR_FIELDS = new Set([
  'type',
  'message',
  'stack',
  'code',
  'severity',
  'table',
  'column',
  'constraint',
  'query',
]);

const describeError = (thrown: Error): object => whatTells(pino.stdSerializers.err(thrown));

function whatTells(error: Partial<SerializedError>): object {
  const fields = Object.entries(error).filter(([name]) => ERROR_FIELDS.has(name));
  return { ...Object.fromEntries(fields), aggregateErrors: error.aggregateErrors?.map(whatTells) };
}

/** Always our own: it is kept with events, by which whoever chose it could join what does not belong together. */
export const newRequestId = (): string => randomUUID();

const PLAIN_WORD = /^[\w.:-]{1,64}$/;

/** What the caller, or a proxy, calls the request: for the log alone. */
const callersId = ({ headers }: FastifyRequest): string | undefined => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && PLAIN_WORD.test(given) ? given : undefined;
};

/** Our own are shorter; strangers send 16 kB. */
const PATH_LOGGED_MAX = 300;

const pathOf = ({ url }: { url: string }): string => (url.split('?', 1)[0] ?? '').slice(0, PATH_LOGGED_MAX);

/** Nobody was proved, or somebody may not: then the caller's address is logged as well. */
const REFUSALS = new Set([401, 403, 429]);

const PROBES = /^\/(?:health\/(?:live|ready)|metrics)$/;

/**
 * One line a request when it is answered, with its id, the caller's own id for it, who was proved, and what it was refused
 * with; answers carry the id as `x-request-id`.
 * @param probes the level of probes, which come every second, also while they are answered with 503
 */
export function logRequests(fastify: FastifyInstance, probes: LogLevel): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    if (isHeldBack(request)) return done();
    const line = {
      method: request.method,
      path: pathOf(request),
      statusCode: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      callersId: callersId(request),
      memberId: request.provenMember,
      code: request.refusedWith,
      address: REFUSALS.has(reply.statusCode) ? request.ip : undefined,
    };
    if (PROBES.test(line.path)) request.log[probes](line, 'request');
    else if (reply.statusCode >= 500) request.log.error({ ...line, err: request.failedBecause }, 'request failed');
    else request.log.info(line, 'request');
    done();
  });
}
