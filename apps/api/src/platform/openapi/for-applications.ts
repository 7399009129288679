import type { OpenAPIObject } from '@nestjs/swagger';

/** The calls that applications make: with a token, with their secret, or for one. */
const TAGS = new Set(['OAuth: protocol', 'Token API', 'Own records', 'Webhooks']);

/** The document of these calls alone, with the parts that they name. */
export function forApplications(document: OpenAPIObject): OpenAPIObject {
  const paths = Object.fromEntries(
    Object.entries(document.paths).filter(([, item]) =>
      [item.get, item.post, item.patch, item.delete].some((operation) => operation?.tags?.some((tag) => TAGS.has(tag))),
    ),
  );
  const schemas = document.components?.schemas ?? {};
  const namedAnswers = namesOf(paths, 'responses');
  const responses = Object.fromEntries(
    Object.entries(document.components?.responses ?? {}).filter(([name]) => namedAnswers.has(name)),
  );
  const named = namedIn([paths, responses], schemas);
  return {
    ...document,
    paths,
    tags: document.tags?.filter(({ name }) => TAGS.has(name)) ?? [],
    components: {
      ...document.components,
      responses,
      schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => named.has(name))),
    },
  };
}

function namedIn(node: unknown, schemas: Readonly<Record<string, unknown>>, named = new Set<string>()): Set<string> {
  for (const name of namesOf(node, 'schemas')) {
    if (named.has(name)) continue;
    named.add(name);
    namedIn(schemas[name] ?? {}, schemas, named);
  }
  return named;
}

const namesOf = (node: unknown, kind: 'schemas' | 'responses'): Set<string> =>
  new Set(
    [...JSON.stringify(node).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)].flatMap(([, of, name = '']) =>
      of === kind ? [name] : [],
    ),
  );
