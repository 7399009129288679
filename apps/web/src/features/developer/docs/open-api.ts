/** The parts of an OpenAPI 3 document that are shown; any of them may be absent. */
export interface OpenApiDocument {
  paths?: Record<string, Partial<Record<Method, Operation>>>;
  components?: { schemas?: Record<string, Schema>; responses?: Record<string, Answer> };
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
const METHODS: readonly Method[] = ['get', 'post', 'put', 'patch', 'delete'];

interface Operation {
  summary?: string;
  description?: string;
  parameters?: readonly Parameter[];
  requestBody?: { content?: Record<string, { schema?: Schema }> };
  responses?: Record<string, Answer>;
}

interface Answer {
  /** Names the answer of `components` that it is. */
  $ref?: string;
  description?: string;
  content?: Record<string, { schema?: Schema }>;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  nullable?: boolean;
  enum?: readonly unknown[];
  const?: unknown;
  example?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
}

/** A value of a call; a nested one has a dotted name. */
export interface ApiField {
  name: string;
  /** In words: `string`, `number`, `list of string`, or the allowed values. */
  type: string;
  isRequired: boolean;
  description: string;
  example?: unknown;
}

/** A call's parameters and answers, ready to show. */
export interface ApiCall {
  method: string;
  path: string;
  summary: string;
  description: string;
  area: ApiArea;
  parameters: (ApiField & { place: string })[];
  body: { contentType: string; fields: ApiField[] } | null;
  answers: { status: string; description: string; fields: ApiField[] }[];
}

export type ApiArea = 'Sign-in' | 'Tokens';

/** The calls documented for third parties (rule oauth-6): the protocol's own, and those of the token API. */
const THIRD_PARTY = /^\/(?:oauth\/.+|\.well-known\/openid-configuration|api\/oauth\/token-balances|api\/tokens\/.+)$/;
/** Calls in the order in which an integration meets them; all others follow. */
const ORDER = [
  '/.well-known/openid-configuration',
  '/oauth/authorize',
  '/oauth/token',
  '/oauth/userinfo',
  '/api/oauth/token-balances',
  '/api/tokens/spend',
  '/api/tokens/earn',
  '/api/tokens/transfer',
  '/api/tokens/transactions',
];
const DEPTH_MAX = 3;

/** The calls for third parties, read from the server's own document. */
export function thirdPartyCalls(document: OpenApiDocument): ApiCall[] {
  const calls = Object.entries(document.paths ?? {})
    .filter(([path]) => THIRD_PARTY.test(path))
    .flatMap(([path, operations]) =>
      METHODS.flatMap((method) => {
        const operation = operations[method];
        return operation === undefined ? [] : [toCall(document, method, path, operation)];
      }),
    );
  const rank = ({ path }: ApiCall): number => (ORDER.includes(path) ? ORDER.indexOf(path) : ORDER.length);
  return calls.toSorted((a, b) => rank(a) - rank(b));
}

function toCall(document: OpenApiDocument, method: Method, path: string, operation: Operation): ApiCall {
  const [body] = Object.entries(operation.requestBody?.content ?? {});
  return {
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? '',
    description: operation.description ?? '',
    area: path.startsWith('/api/') ? 'Tokens' : 'Sign-in',
    parameters: (operation.parameters ?? []).map((parameter) => ({
      ...toField(document, parameter.name, parameter.schema ?? {}, parameter.required === true),
      description: parameter.description ?? parameter.schema?.description ?? '',
      place: parameter.in,
    })),
    body: body === undefined ? null : { contentType: body[0], fields: fieldsOf(document, body[1].schema) },
    answers: Object.entries(operation.responses ?? {}).map(([status, given]) => {
      const { description = '', content = {} } = answerOf(document, given);
      // Every refusal has the same body, which is described once.
      return {
        status,
        description,
        fields: isRefusal(status) ? [] : fieldsOf(document, Object.values(content)[0]?.schema),
      };
    }),
  };
}

const answerOf = ({ components }: OpenApiDocument, answer: Answer): Answer =>
  components?.responses?.[answer.$ref?.split('/').at(-1) ?? ''] ?? answer;

const isRefusal = (status: string): boolean => status === 'default' || /^[45]/.test(status);

function resolve(document: OpenApiDocument, schema: Schema | undefined): Schema {
  const name = schema?.$ref?.split('/').at(-1);
  const found = name === undefined ? undefined : document.components?.schemas?.[name];
  const own = { ...found, ...schema };
  const parts = [...(own.allOf ?? []), ...(own.oneOf?.slice(0, 1) ?? []), ...(own.anyOf?.slice(0, 1) ?? [])];
  return parts.reduce<Schema>((whole, part) => {
    const { properties, required, ...rest } = resolve(document, part);
    return {
      ...rest,
      ...whole,
      ...(properties || whole.properties ? { properties: { ...properties, ...whole.properties } } : {}),
      required: [...(required ?? []), ...(whole.required ?? [])],
    };
  }, own);
}

function fieldsOf(document: OpenApiDocument, given: Schema | undefined, depth = 1, prefix = ''): ApiField[] {
  const schema = resolve(document, given);
  if (schema.type === 'array' && depth <= DEPTH_MAX) return fieldsOf(document, schema.items, depth, `${prefix}[].`);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const isRequired = schema.required?.includes(name) === true;
    const field = toField(document, `${prefix}${name}`, property, isRequired);
    const inner = depth < DEPTH_MAX ? innerOf(document, property, depth + 1, `${prefix}${name}`) : [];
    return [field, ...inner];
  });
}

function innerOf(document: OpenApiDocument, given: Schema, depth: number, name: string): ApiField[] {
  const schema = resolve(document, given);
  if (schema.type === 'array') return fieldsOf(document, schema.items, depth, `${name}[].`);
  return fieldsOf(document, schema, depth, `${name}.`);
}

function toField(document: OpenApiDocument, name: string, given: Schema, isRequired: boolean): ApiField {
  const schema = resolve(document, given);
  return {
    name,
    type: typeText(document, schema),
    isRequired,
    description: schema.description ?? '',
    ...(schema.example === undefined ? {} : { example: schema.example }),
  };
}

function typeText(document: OpenApiDocument, schema: Schema): string {
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' or ');
  const types = [schema.type ?? (schema.properties ? 'object' : 'any')].flat().filter((type) => type !== 'null');
  const [type = 'any'] = types;
  const isNullable = schema.nullable === true || [schema.type].flat().includes('null');
  const word = type === 'array' ? `list of ${typeText(document, resolve(document, schema.items))}` : type;
  return `${word}${schema.format === 'date-time' ? ' (ISO 8601)' : ''}${isNullable ? ' or null' : ''}`;
}
