import fastifyMultipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.js';
import { isShallow } from '../shallow.js';
import { endUnlessWhole } from './slow-body.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of the body as they came, on paths whose callers sign them. */
    signedBody?: Buffer;
  }
}

/** Bodies under it are signed: handlers there need the bytes. */
const SIGNED = '/api/webhooks/';
/** Stripe's own calls are forms; everything else speaks JSON. */
const FORMS = /^\/(?:sandbox|oauth)\//;
/** Takes files as they are: the handler reads the stream. */
const FILES = /^\/objects\/uploads\//;
/** Takes a file in a form (S1 §7 Profile). */
const FORMS_WITH_FILE = /^\/api\/profile\/thumbnail(?:\?|$)/;

/** For all but files: a slow line sends 1 MB in that time. */
const BODY_MS_MAX = 60_000;
/** Far deeper than anything that is asked for here. */
const JSON_DEPTH_MAX = 32;

/**
 * JSON everywhere, forms where a standard wants them. A call without a body may still say `application/json`, as many
 * clients do by habit.
 */
export async function acceptBodies(fastify: FastifyInstance, { bodyMsMax = BODY_MS_MAX } = {}): Promise<void> {
  fastify.removeAllContentTypeParsers();
  fastify.addHook('onRequest', (request, reply, done) => {
    if (bringsBody(request) && !isFile(request)) {
      endUnlessWhole(request.raw, bodyMsMax, () => {
        if (reply.raw.headersSent) request.raw.destroy();
        else fastify.server.emit('clientError', tooSlow(), request.raw.socket);
      });
    }
    done();
  });
  await acceptFiles(fastify);
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = Buffer.from(body);
    if (request.url.startsWith(SIGNED)) request.signedBody = bytes;
    if (bytes.length === 0 || FILES.test(request.url)) return done(null, undefined);
    let value: unknown;
    try {
      value = parseJson(bytes.toString('utf8'));
    } catch {
      return done(new AppError(400, 'INVALID_JSON', 'The request is not valid JSON.'));
    }
    if (isShallow(value, JSON_DEPTH_MAX)) done(null, value);
    else done(new AppError(400, 'INVALID_JSON', 'The JSON of the request is nested too deep.'));
  });
  fastify.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, body, done) => {
    if (!FORMS.test(request.url)) return done(unsupported());
    done(null, Object.fromEntries(new URLSearchParams(body.toString())));
  });
}

/** Files in forms on one path, files as they are on another. */
async function acceptFiles(fastify: FastifyInstance): Promise<void> {
  await fastify.register(fastifyMultipart);
  fastify.addHook('onRequest', (request, _reply, done) => {
    const isForm = request.headers['content-type']?.startsWith('multipart/') === true;
    done(isForm && !isFile(request) ? unsupported() : undefined);
  });
  fastify.addContentTypeParser('*', (request, payload, done) => {
    if (FILES.test(request.url)) done(null, payload);
    else done(unsupported());
  });
}

const isFile = ({ url }: FastifyRequest): boolean => FILES.test(url) || FORMS_WITH_FILE.test(url);

const bringsBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** As Node says it of a request whose headers do not arrive. */
const tooSlow = (): Error =>
  Object.assign(new Error('the body did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

const unsupported = (): AppError =>
  new AppError(415, 'UNSUPPORTED_MEDIA_TYPE', 'The request must be JSON, sent with the content type application/json.');

const MAY_NAME_PROTOTYPE = /__proto__|\\u/;

/** `__proto__` in a body is never a field of ours: it is dropped before anything can copy it. */
const parseJson = (text: string): unknown =>
  MAY_NAME_PROTOTYPE.test(text) ? JSON.parse(text, dropPrototype) : JSON.parse(text);

const dropPrototype = (key: string, value: unknown): unknown => (key === '__proto__' ? undefined : value);
