/** What the fuzzer reads of a schema. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

export interface Parameter {
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly name: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Operation {
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Content };
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** One call of the API: what may be sent, as its document says. */
export interface Call {
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  /** For everybody, signed in or not. */
  readonly isPublic: boolean;
  readonly parameters: readonly Parameter[];
  /** The first kind of body that it takes; undefined where it takes none. */
  readonly body: { readonly contentType: string; readonly schema: Schema } | undefined;
}

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options']);

/** Every call of a document, with its references followed. */
export function callsOf({ paths, components }: OpenApiDocument): Call[] {
  const follow = (schema: Schema, depth = 0): Schema => {
    const name = schema.$ref?.split('/').at(-1);
    if (name !== undefined) return follow(components.schemas[name] ?? {}, depth + 1);
    if (depth > DEPTH_MAX) return {};
    const all = (list: readonly Schema[] | undefined) => list?.map((one) => follow(one, depth + 1));
    const [allOf, oneOf] = [all(schema.allOf), all(schema.oneOf ?? schema.anyOf)];
    return {
      ...schema,
      ...(allOf?.length === 1 ? allOf[0] : {}),
      ...(oneOf ? { oneOf } : {}),
      ...(schema.items ? { items: follow(schema.items, depth + 1) } : {}),
      ...(schema.properties
        ? {
            properties: Object.fromEntries(
              Object.entries(schema.properties).map(([key, value]) => [key, follow(value, depth + 1)]),
            ),
          }
        : {}),
    };
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method, { parameters = [], requestBody, security = [] }]) => {
        const [contentType, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
        return {
          method: method.toUpperCase(),
          path,
          isPublic: security.length === 0,
          parameters: parameters.map((one) => ({ ...one, schema: follow(one.schema ?? {}) })),
          body: contentType === undefined ? undefined : { contentType, schema: follow(content?.schema ?? {}) },
        };
      }),
  );
}

const DEPTH_MAX = 8;
