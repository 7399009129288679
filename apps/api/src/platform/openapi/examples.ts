import type { OpenAPIObject } from '@nestjs/swagger';

/** What examples are made from; a reference is followed. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  nullable?: boolean;
  example?: unknown;
  default?: unknown;
  enum?: unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number | boolean;
  exclusiveMaximum?: number | boolean;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
}

/** The id of examples. */
export const EXAMPLE_ID = '0190a8c4-7d3e-7b6f-8a51-2f0c9d7e6b14';
const DEPTH_MAX = 8;

/** Values of texts by the end of their names, where nothing better is known. */
const TEXTS: readonly (readonly [name: RegExp, text: string])[] = [
  [/(?:At|Time|Until|moment|from|to|since|start|end)$/, '2026-11-27T12:00:00.000Z'],
  [/(?:[iI]d|sub|jti)$/, EXAMPLE_ID],
  [/email$/i, 'ada@example.com'],
  [/(?:url|uri|picture|issuer|endpoint|address|logo)$/i, 'https://app.example.com/'],
  [/(?:month)$/i, '2026-11'],
  [/(?:day|date)$/i, '2026-11-27'],
  [/(?:name)$/i, 'Ada'],
  [/(?:hash|root|digest)$/i, '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  [/cursor$/i, 'eyJyIjoiMTAyNCJ9'],
  [/scope$/, 'openid profile nova'],
  [/pin$/i, '274915'],
];

/** A value that a schema allows: its own examples where it has some, and else what its names and limits suggest. */
export function exampleOf(document: OpenAPIObject, given: Schema, name = '', depth = 0): unknown {
  const schema = merged(document, given);
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  const choice = (schema.oneOf ?? schema.anyOf)?.[0];
  if (choice) return exampleOf(document, choice, name, depth);
  const type = [schema.type].flat().find((one) => one !== 'null') ?? (schema.properties ? 'object' : 'string');
  switch (type) {
    case 'object':
      return depth > DEPTH_MAX
        ? {}
        : Object.fromEntries(
            Object.entries(schema.properties ?? {}).map(([key, value]) => [
              key,
              exampleOf(document, value, key, depth + 1),
            ]),
          );
    case 'array':
      return depth > DEPTH_MAX ? [] : manyOf(document, schema, name, depth);
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return true;
    default:
      return textOf(schema, name);
  }
}

const manyOf = (
  document: OpenAPIObject,
  { items = {}, minItems = 1 }: Schema,
  name: string,
  depth: number,
): unknown[] =>
  Array.from({ length: Math.max(1, minItems) }, () => exampleOf(document, items, name.replace(/s$/, ''), depth + 1));

function numberOf({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Schema): number {
  return Math.min(maximum, Math.max(minimum, 1));
}

function textOf({ format, minLength = 0, maxLength = Number.MAX_SAFE_INTEGER }: Schema, name: string): string {
  if (format === 'uuid') return EXAMPLE_ID;
  if (format === 'date-time') return '2026-11-27T12:00:00.000Z';
  if (format === 'binary') return '(bytes)';
  if (format === 'date') return '2026-11-27';
  const text = TEXTS.find(([pattern]) => pattern.test(name))?.[1] ?? 'text';
  return text.padEnd(minLength, '.').slice(0, maxLength);
}

function merged(document: OpenAPIObject, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  const { $ref: _, allOf, ...own } = schema;
  const parts = name === undefined ? [] : [(document.components?.schemas?.[name] ?? {}) as Schema];
  const all = [...parts, ...(allOf ?? [])].map((part) => merged(document, part));
  const properties = Object.assign({}, ...all.map((part) => part.properties), own.properties) as Record<string, Schema>;
  return { ...Object.assign({}, ...all), ...own, ...(Object.keys(properties).length > 0 && { properties }) };
}
