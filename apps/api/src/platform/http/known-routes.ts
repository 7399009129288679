import type { FastifyInstance } from 'fastify';

interface KnownRoute {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

const known = new WeakMap<object, Map<string, KnownRoute>>();

/** The client answers every path with it: it says nothing of an address. */
const EVERYTHING = /^\/?\*$/;

/** Remembers which methods each address has. Before the first route. */
export function rememberRoutes(fastify: FastifyInstance): void {
  const routes = new Map<string, KnownRoute>();
  known.set(fastify.server, routes);
  fastify.addHook('onRoute', ({ url, method }) => {
    if (EVERYTHING.test(url)) return;
    const route = routes.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const one of [method].flat()) route.methods.add(one);
    routes.set(url, route);
  });
}

/** The methods of an address, sorted; none where nothing is at it. */
export function methodsAt({ server }: FastifyInstance, url: string): string[] {
  const [path = ''] = url.split('?', 1);
  const routes = [...(known.get(server)?.values() ?? [])].filter(({ pattern }) => pattern.test(path));
  return [...new Set(routes.flatMap(({ methods }) => [...methods]))].toSorted();
}

function patternOf(url: string): RegExp {
  const parts = url.split(/(:\w+|\*)/).map((part, index) => {
    if (index % 2 === 0) return part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
    return part === '*' ? '.*' : '[^/]+';
  });
  return new RegExp(`^${parts.join('')}$`);
}
