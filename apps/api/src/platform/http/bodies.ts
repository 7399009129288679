import fastifyMultipart from '@fastify/multipart';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.js';
import type { ErrorCode } from '../errors/error-codes.js';
import { FairTurns } from '../fair-turns.js';
import { type Excess, excessOf, type ShapeLimits } from '../shape.js';
import { networkOf, siteOf } from './network.js';
import { endUnlessWhole } from './slow-body.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of the body as they came, on paths whose callers sign them. */
    signedBody?: Buffer;
  }
  interface FastifyContextConfig {
    /** Set by `TakesBody`. */
    bodyBytesMax?: number;
  }
}

/** The default of every call: far above what visitors send. */
export const BODY_BYTES_MAX = 16_384;
/** Of calls that bring what members write: as many characters as they may have, even where each is sent as `\ud83d\ude00`. */
export const TEXT_BODY_BYTES_MAX = 65_536;
/** Of a file with 500 rows of grants, which comes as one text. */
export const GRANTS_BODY_BYTES_MAX = 1_048_576;
/** Of what a payment provider tells, its objects whole. */
const SIGNED_BODY_BYTES_MAX = 262_144;

/** Lets a call bring a body of another size than `BODY_BYTES_MAX`. */
export const TakesBody = (bytesMax: number): MethodDecorator => RouteConfig({ bodyBytesMax: bytesMax });

/** No call needs as many fields or list items. The most parts has a bulk of 500 payments, each an object of three fields. */
const BODY_SHAPE: ShapeLimits = { depthMax: 32, keysMax: 100, itemsMax: 500, nodesMax: 2_100 };
/** Of a query or a form: a list of 100 ids, each as a parameter, and what stands beside it. */
const PARAMETERS_MAX = 150;

/** Bodies under it are signed: handlers there need the bytes, and read them once the signature is found right. */
const SIGNED = '/api/webhooks/';
/** Stripe's own calls are forms; everything else speaks JSON. */
const FORMS = /^\/(?:sandbox|oauth)\//;
/** Takes files as they are: the handler reads the stream. */
const FILES = /^\/objects\/uploads\//;
/** Takes a file in a form (rule uploads-8). */
const FORMS_WITH_FILE = /^\/api\/profile\/thumbnail(?:\?|$)/;

/** For all but files that go to disk as they come: a slow line sends 1 MB in that time. */
const BODY_MS_MAX = 60_000;

/** Bodies beyond `BODY_BYTES_MAX` that are read at once, of all and of one network, and those that wait. */
const LARGE_AT_ONCE_MAX = 64;
const LARGE_OF_NETWORK_MAX = 8;
const LARGE_WAITING_OF_NETWORK_MAX = 64;
const LARGE_WAITING_MAX = 1_000;

/**
 * JSON everywhere, forms where a standard wants them. A call without a body may still say `application/json`, as many
 * clients do by habit. What is larger, wider or deeper than any call needs is refused here, before it is copied or validated:
 * first by the length that its header says, then by its bytes, then by its parts. Bodies are held in memory until they are whole:
 * few large ones at once, in fair turns by network, as nobody has looked yet who sends them.
 */
export async function acceptBodies(fastify: FastifyInstance, { bodyMsMax = BODY_MS_MAX } = {}): Promise<void> {
  fastify.removeAllContentTypeParsers();
  fastify.addHook('onRoute', (route) => {
    route.bodyLimit ??=
      route.config?.bodyBytesMax ?? (route.url.startsWith(SIGNED) ? SIGNED_BODY_BYTES_MAX : BODY_BYTES_MAX);
  });
  fastify.addHook('onRequest', ({ url }, _reply, done) => {
    const query = url.indexOf('?');
    done(query >= 0 && hasTooManyParameters(url.slice(query)) ? tooManyParameters() : undefined);
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    if (bringsBody(request) && !FILES.test(request.url)) {
      endUnlessWhole(request.raw, bodyMsMax, () => {
        if (reply.raw.headersSent) request.raw.destroy();
        else fastify.server.emit('clientError', tooSlow(), request.raw.socket);
      });
    }
    done();
  });
  const turns = new FairTurns({
    atOnceMax: LARGE_AT_ONCE_MAX,
    atOnceOfOneMax: LARGE_OF_NETWORK_MAX,
    waitingOfOneMax: LARGE_WAITING_OF_NETWORK_MAX,
    waitingMax: LARGE_WAITING_MAX,
    busy,
  });
  fastify.addHook('preParsing', async (request, _reply, payload) => {
    if (mayBeLarge(request)) await readInTurn(request, turns);
    return payload;
  });
  await acceptFiles(fastify);
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = Buffer.from(body);
    if (request.url.startsWith(SIGNED)) {
      request.signedBody = bytes;
      return done(null, undefined);
    }
    if (bytes.length === 0 || FILES.test(request.url)) return done(null, undefined);
    let value: unknown;
    try {
      value = parseJson(bytes.toString('utf8'));
    } catch {
      return done(new AppError(400, 'INVALID_JSON', 'The request is not valid JSON.'));
    }
    const excess = excessOf(value, BODY_SHAPE);
    if (excess) done(new AppError(400, ...EXCESSES[excess]));
    else done(null, value);
  });
  fastify.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, body, done) => {
    if (!FORMS.test(request.url)) return done(unsupported());
    const form = body.toString();
    if (hasTooManyParameters(form)) return done(tooManyParameters());
    done(null, Object.fromEntries(new URLSearchParams(form)));
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

/** Files are none of them: they go to disk, or wait for turns of their own. */
function mayBeLarge(request: FastifyRequest): boolean {
  const { headers, routeOptions } = request;
  if (!bringsBody(request) || isFile(request) || (routeOptions.bodyLimit ?? 0) <= BODY_BYTES_MAX) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > BODY_BYTES_MAX;
}

/** The turn ends once the body is whole, or will never be. */
async function readInTurn({ ip, raw }: FastifyRequest, turns: FairTurns): Promise<void> {
  const end = await turns.begin([siteOf(ip), networkOf(ip)]);
  if (raw.destroyed) end();
  raw.once('end', end);
  raw.once('close', end);
}

const busy = (): AppError =>
  new AppError(503, 'BUSY', 'Many large requests are arriving right now. Please try again in a moment.', {
    retryAfterSeconds: 5,
  });

/** As Node says it of a request whose headers do not arrive. */
const tooSlow = (): Error =>
  Object.assign(new Error('the body did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

const EXCESSES: Readonly<Record<Excess, readonly [code: ErrorCode, message: string]>> = {
  depth: ['INVALID_JSON', 'The JSON of the request is nested too deep.'],
  keys: ['TOO_MANY_FIELDS', `An object of the request has more than ${BODY_SHAPE.keysMax} fields.`],
  items: ['LIST_TOO_LONG', `A list of the request has more than ${BODY_SHAPE.itemsMax} items.`],
  nodes: ['BODY_TOO_COMPLEX', 'The request has more parts than any call allows.'],
};

/** Counts as far as it must. */
function hasTooManyParameters(query: string): boolean {
  let parameters = 1;
  for (let at = query.indexOf('&'); at >= 0 && parameters <= PARAMETERS_MAX; at = query.indexOf('&', at + 1)) {
    parameters += 1;
  }
  return parameters > PARAMETERS_MAX;
}

const tooManyParameters = (): AppError =>
  new AppError(400, 'TOO_MANY_PARAMETERS', `The request has more than ${PARAMETERS_MAX} parameters.`);

const unsupported = (): AppError =>
  new AppError(415, 'UNSUPPORTED_MEDIA_TYPE', 'The request must be JSON, sent with the content type application/json.');

const MAY_NAME_PROTOTYPE = /__proto__|\\u/;

/** `__proto__` in a body is never a field of ours: it is dropped before anything can copy it. */
const parseJson = (text: string): unknown =>
  MAY_NAME_PROTOTYPE.test(text) ? JSON.parse(text, dropPrototype) : JSON.parse(text);

const dropPrototype = (key: string, value: unknown): unknown => (key === '__proto__' ? undefined : value);
