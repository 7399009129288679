import { isDeepStrictEqual } from 'node:util';
import type { OpenAPIObject } from '@nestjs/swagger';
import { AppError } from '../errors/app-error.js';
import { renderError } from '../errors/error-body.js';
import { ERROR_CODES, type ErrorCode } from '../errors/error-codes.js';
import { EXAMPLE_ID, exampleOf, type Schema } from './examples.js';
import { OPERATION_IDS } from './operation-ids.js';
import { TAGS } from './tags.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Answer = Exclude<NonNullable<Operation['responses'][string]>, { $ref: string }>;
type Content = NonNullable<Answer['content']>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** The protocol's own calls, whose refusals have the words of OAuth. */
const PROTOCOL = /^\/(?:oauth|\.well-known)\//;

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
} as const;

const RATE_LIMIT = {
  'RateLimit-Policy': {
    description: 'How many calls (`q`) in how many seconds (`w`).',
    schema: { type: 'string' },
    example: '"tokenWrites";q=600;w=60',
  },
  RateLimit: {
    description: 'Calls left (`r`) until the window ends in so many seconds (`t`).',
    schema: { type: 'string' },
    example: '"tokenWrites";r=0;t=42',
  },
} as const;

/** Codes of examples by status, where the words of a refusal name none. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'VALIDATION_FAILED',
  401: 'UNAUTHENTICATED',
  404: 'NOT_FOUND',
  413: 'BODY_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'IDEMPOTENCY_KEY_REUSED',
  429: 'TOO_MANY_REQUESTS',
  503: 'BUSY',
};

const isErrorCode = (word: string): word is ErrorCode => (ERROR_CODES as readonly string[]).includes(word);

/** The body of a refusal, with an example in its own words; as problem details for those who ask for them (RFC 9457). */
function refused(status: number, description: string): Content {
  const named = [...description.matchAll(/`([A-Z_]+)`/g)].flatMap(([, word = '']) => (isErrorCode(word) ? [word] : []));
  const [sentence = ''] = description.split(/(?<=\.)\s/, 1);
  const error = new AppError(status, named[0] ?? CODES[status] ?? 'REFUSED', sentence.replace(/: `.*`/, ''));
  const media = {
    schema: { $ref: '#/components/schemas/ErrorBody' },
    example: JSON.parse(renderError(error, EXAMPLE_ID)) as unknown,
  };
  return { 'application/json': media, 'application/problem+json': media };
}

/** What no call names: among others an address that does not support a method, whose methods `Allow` lists. */
const OTHERWISE: Answer = {
  description: 'Refused: nothing was changed. A 405 names in `Allow` what the address supports.',
  headers: { Allow: { description: 'With 405: the methods of the address.', schema: { type: 'string' } } },
  content: refused(405, 'This address does not support this method: `METHOD_NOT_ALLOWED`.'),
};

/** Refusals that many calls share, by status: the name of the component, what it means, and its headers. */
const REFUSALS: Readonly<Record<number, readonly [name: string, description: string, headers?: Answer['headers']]>> = {
  400: ['BadRequest', 'The request has invalid values, or the rules forbid what it asks for.'],
  401: ['Unauthenticated', 'Nobody is signed in, or the access token is not valid.'],
  403: ['Forbidden', 'The caller may not do this.'],
  404: ['NotFound', 'There is no such thing, or the caller may not see it.'],
  409: ['Conflict', 'It does not fit the present state.'],
  413: ['TooLarge', 'The request is larger than this call allows.'],
  415: ['UnsupportedMediaType', 'The request has another content type than this call takes.'],
  422: ['KeyReused', 'The Idempotency-Key was used before for something else.'],
  429: ['TooManyRequests', 'Too many calls: wait as long as `Retry-After` says.', { ...RETRY_AFTER, ...RATE_LIMIT }],
  503: ['Unavailable', 'Busy, starting or stopping: repeat it after `Retry-After`, with the same key.', RETRY_AFTER],
};

/** Completes what Nest has written: names, tags, every answer, examples, and the form of OpenAPI 3.1. */
export function completeDocument(document: OpenAPIObject): OpenAPIObject {
  const shared: Record<string, Answer> = { Refused: OTHERWISE };
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      operation.operationId = OPERATION_IDS[`${method.toUpperCase()} ${path}`] ?? operation.operationId ?? '';
      operation.security ??= [];
      operation.responses.default ??= reference('Refused');
      for (const [status, answer] of Object.entries(operation.responses)) {
        if (answer && !('$ref' in answer) && /^[45]/.test(status)) completeRefusal(Number(status), answer);
      }
      for (const status of refusalsOf(path, method, operation)) {
        const known = REFUSALS[status];
        if (operation.responses[status] || !known) continue;
        const [name, description, headers] = known;
        operation.responses[status] = reference(name);
        shared[name] ??= { description, ...(headers && { headers }), content: refused(status, description) };
      }
      for (const content of contentsOf(operation)) addExamples(document, content);
    }
  }
  const used = new Set(operationsOf(document.paths).flatMap(({ tags = [] }) => tags));
  const tags = [...used].toSorted((a, b) => rankOf(a) - rankOf(b));
  return inForm31({
    ...document,
    components: { ...document.components, responses: { ...shared, ...inOnePlace(document) } },
    openapi: '3.1.0',
    tags: tags.map((name) => ({ name, ...(TAGS[name] !== undefined && { description: TAGS[name] }) })),
  });
}

const reference = (name: string) => ({ $ref: `#/components/responses/${name}` });

/** Answers that several calls give in the same words stand once, under these words. */
function inOnePlace({ paths }: OpenAPIObject): Record<string, Answer> {
  const named = new Map<string, { readonly answer: Answer; readonly places: [Operation['responses'], string][] }>();
  for (const { responses } of operationsOf(paths)) {
    for (const [status, answer] of Object.entries(responses)) {
      if (!answer || '$ref' in answer || /^[23]/.test(status)) continue;
      const name = `${nameOf(answer.description)}${status === 'default' ? '' : status}`;
      const known = named.get(name) ?? { answer, places: [] };
      named.set(name, known);
      if (isDeepStrictEqual(known.answer, answer)) known.places.push([responses, status]);
    }
  }
  const repeated = [...named].filter(([, { places }]) => places.length > 1);
  for (const [name, { places }] of repeated)
    for (const [responses, status] of places) responses[status] = reference(name);
  return Object.fromEntries(repeated.map(([name, { answer }]) => [name, answer]));
}

const operationsOf = (paths: OpenAPIObject['paths']): Operation[] =>
  Object.values(paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));

/** `There is no such member.`: ThereIsNoSuchMember. What names a code or a header is left out. */
const nameOf = (description: string): string =>
  description
    .replaceAll(/(?:: see|:)? `[^`]*`/g, '')
    .replaceAll(/\W*\b(\w)|\W+$/g, (_, letter: string = '') => letter.toUpperCase());

const rankOf = (tag: string): number => Object.keys(TAGS).indexOf(tag);

function refusalsOf(path: string, method: string, { security, requestBody, parameters = [] }: Operation): number[] {
  if (PROTOCOL.test(path)) return [429, 503];
  const isCommand = method !== 'get';
  const takesKey = parameters.some((parameter) => 'name' in parameter && parameter.name === 'Idempotency-Key');
  return [
    400,
    ...(security?.length ? [401, 403] : []),
    ...(path.includes('{') ? [404] : []),
    ...(isCommand ? [409] : []),
    ...(requestBody ? [413, 415] : []),
    ...(takesKey ? [422] : []),
    429,
    503,
  ];
}

/** Completes a refusal that a call describes in words of its own. */
function completeRefusal(status: number, own: Answer): void {
  const [, , headers] = REFUSALS[status] ?? [];
  own.content ??= refused(status, own.description);
  if (headers) own.headers = { ...headers, ...own.headers };
}

/** The bodies of a call and of its answers. */
function contentsOf({ requestBody, responses }: Operation): Content[] {
  return [requestBody, ...Object.values(responses)].flatMap((part) => {
    if (!part || '$ref' in part) return [];
    if ('description' in part) part.description ||= 'Done.';
    return part.content ? [part.content] : [];
  });
}

function addExamples(document: OpenAPIObject, content: Content): void {
  for (const media of Object.values(content)) {
    if (media.schema && media.example === undefined) media.example = exampleOf(document, media.schema);
  }
}

/** OpenAPI 3.1 has JSON Schema's `null` in place of `nullable`. Examples stay as they are. */
function inForm31<T>(node: T): T {
  if (Array.isArray(node)) return node.map(inForm31) as T;
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, key === 'example' ? value : inForm31(value)]),
  ) as Schema;
  if (copy.nullable !== true) return copy as T;
  const { nullable: _, description, ...schema } = copy;
  // Where a schema is named, `null` is another choice: it has not the type of what is named.
  if (schema.type === undefined || schema.allOf)
    return { ...(description !== undefined && { description }), anyOf: [schema, { type: 'null' }] } as T;
  return {
    ...schema,
    ...(description !== undefined && { description }),
    type: [schema.type, 'null'].flat(),
    ...(schema.enum && { enum: [...new Set([...schema.enum, null])] }),
  } as T;
}
