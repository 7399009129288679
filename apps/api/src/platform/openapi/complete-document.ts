import type { OpenAPIObject } from '@nestjs/swagger';
import { exampleOf, type Schema } from './examples.js';
import { OPERATION_IDS } from './operation-ids.js';
import { TAGS } from './tags.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Answer = Exclude<NonNullable<Operation['responses'][string]>, { $ref: string }>;
type Content = NonNullable<Answer['content']>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** The protocol's own calls, whose refusals have the words of OAuth. */
const PROTOCOL = /^\/(?:oauth|\.well-known)\//;

const ERROR_CONTENT = { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } };

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
  const shared = new Set<number>();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      operation.operationId = OPERATION_IDS[`${method.toUpperCase()} ${path}`] ?? operation.operationId ?? '';
      operation.security ??= [];
      for (const status of refusalsOf(path, method, operation)) if (nameRefusal(operation, status)) shared.add(status);
      for (const content of contentsOf(operation)) addExamples(document, content);
    }
  }
  const used = new Set(
    Object.values(document.paths).flatMap((item) => METHODS.flatMap((method) => item[method]?.tags ?? [])),
  );
  const tags = [...used].toSorted((a, b) => rankOf(a) - rankOf(b));
  return inForm31({
    ...document,
    components: { ...document.components, responses: sharedRefusals(shared) },
    openapi: '3.1.0',
    tags: tags.map((name) => ({ name, ...(TAGS[name] !== undefined && { description: TAGS[name] }) })),
  });
}

const sharedRefusals = (statuses: ReadonlySet<number>) =>
  Object.fromEntries(
    Object.entries(REFUSALS)
      .filter(([status]) => statuses.has(Number(status)))
      .map(([, [name, description, headers]]) => [
        name,
        { description, ...(headers && { headers }), content: ERROR_CONTENT },
      ]),
  );

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

/** A call that describes a refusal keeps its words. Whether it now has those that many share. */
function nameRefusal({ responses }: Operation, status: number): boolean {
  const own = responses[status];
  const [name = '', , headers] = REFUSALS[status] ?? [];
  if (!own) {
    responses[status] = { $ref: `#/components/responses/${name}` };
    return true;
  }
  if ('$ref' in own) return false;
  own.content ??= ERROR_CONTENT;
  if (headers) own.headers = { ...headers, ...own.headers };
  return false;
}

/** The bodies of a call and of its successes. */
function contentsOf({ requestBody, responses }: Operation): Content[] {
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return [requestBody, ...answers.map(([, answer]) => answer)].flatMap((part) => {
    if (!part || '$ref' in part) return [];
    if ('description' in part) part.description ||= 'Done.';
    return part.content ? [part.content] : [];
  });
}

function addExamples(document: OpenAPIObject, content: Content): void {
  for (const [type, media] of Object.entries(content)) {
    if (!/json|urlencoded/.test(type) || !media.schema || media.example !== undefined) continue;
    media.example = exampleOf(document, media.schema);
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
