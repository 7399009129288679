import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What a page of the client begins with. */
export interface PageStart {
  /** The sources of its parts, as the build's manifest names them. */
  readonly parts: readonly string[];
  /** The reads that it begins with, as it asks for them. */
  readonly reads: readonly string[];
}

export interface PageStarts {
  /** Whether the request comes with a session; nobody has looked at it. */
  hasSession(request: FastifyRequest): boolean;
  /** Of a member's page, by its path and query. One without parts begins without a shell. */
  of(path: string, query: string): PageStart;
  /** The read that says who is signed in, if anybody is. */
  readonly whoIs: string;
}

/** The build's manifest: https://vite.dev/guide/backend-integration */
type Manifest = Readonly<Record<string, { readonly file: string; readonly imports?: readonly string[] }>>;

const MANIFEST = path.join('.vite', 'manifest.json');
const ENTRY = 'index.html';
const FIRST_FONT = 'src/styles/fonts/inter-latin.woff2';
const FIRST_PICTURE = '/landing-poster.webp';
const SIGNED_OUT = 401;

/** An answer that is not there by then is left to the client. */
const READ_MS_MAX = 1_000;

/** Of the page's request, what its reads need as well. */
const PASSED_ON = ['cookie', 'host', 'user-agent', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'] as const;

type FirstAnswers = Record<string, readonly [status: number, body: unknown]>;

/**
 * Sends the client's page with what it would ask for first: addresses of the parts that show it, the answers to its first reads, and
 * a shell to look at meanwhile. Undefined where the client was built without a manifest.
 */
export function clientPage(fastify: FastifyInstance, folder: string, starts: PageStarts) {
  const manifestFile = path.join(folder, MANIFEST);
  if (!existsSync(manifestFile)) return undefined;
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest;
  const { bare, shells } = readPage(readFileSync(path.join(folder, ENTRY), 'utf8'));
  const font = preload(manifest[FIRST_FONT]?.file, 'font', ' type="font/woff2" crossorigin');

  const read = async (request: FastifyRequest, url: string): Promise<Read> => {
    const headers = Object.fromEntries(
      PASSED_ON.map((name) => [name, request.headers[name]]).filter(([, text]) => text),
    );
    // Through the same hooks, guards and limits as from outside.
    const answer = await fastify.inject({ url, headers, remoteAddress: request.socket.remoteAddress ?? '' });
    return { status: answer.statusCode, body: answer.json(), cookies: [answer.headers['set-cookie'] ?? []].flat() };
  };

  return async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    const [pathname = '/', query = ''] = request.url.split(/\?(.*)/s, 2);
    const start = starts.of(pathname, query);
    const answers: FirstAnswers = {};
    if (starts.hasSession(request)) {
      const reads = [starts.whoIs, ...start.reads].map(async (url) => {
        const { status, body, cookies } = await read(request, url);
        answers[url] = [status, body];
        if (url === starts.whoIs && cookies.length > 0) void reply.header('set-cookie', cookies);
      });
      await inTime(Promise.allSettled(reads));
    } else {
      answers[starts.whoIs] = [SIGNED_OUT, null];
    }
    const isVisitor = answers[starts.whoIs]?.[0] === SIGNED_OUT;
    const kept = Object.entries(answers).filter(
      ([url, [status]]) => status === 200 || (isVisitor && url === starts.whoIs),
    );
    const head = isVisitor
      ? preload(FIRST_PICTURE, 'image', ' fetchpriority="high"')
      : partsOf(manifest, start.parts).map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`);
    void reply.type('text/html; charset=utf-8').header('cache-control', 'private, no-store');
    return bare
      .replace('</head>', () => `${[font, head].flat().join('')}</head>`)
      .replace('<div id="root">', (root) =>
        start.parts.length > 0 ? `${root}${shells[isVisitor ? 'visitor' : 'member'] ?? ''}` : root,
      )
      .replace('</body>', () => `${inert(Object.fromEntries(kept))}</body>`);
  };
}

interface Read {
  readonly status: number;
  readonly body: unknown;
  readonly cookies: readonly string[];
}

async function inTime(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, READ_MS_MAX)));
  await Promise.race([work, late]);
  clearTimeout(timer);
}

const SHELL = /<template data-shell="(\w+)">([\s\S]*?)<\/template>\s*/g;

/** The page without its shells, and these. */
function readPage(html: string): { readonly bare: string; readonly shells: Readonly<Record<string, string>> } {
  const shells = Object.fromEntries([...html.matchAll(SHELL)].map(([, name = '', shell = '']) => [name, shell.trim()]));
  return { bare: html.replaceAll(SHELL, ''), shells };
}

/** The files of these parts and of all that they import, without those that the page names itself. */
function partsOf(manifest: Manifest, parts: readonly string[]): string[] {
  const reach = (names: readonly string[], found = new Set<string>()): Set<string> => {
    for (const name of names) {
      if (found.has(name)) continue;
      found.add(name);
      reach(manifest[name]?.imports ?? [], found);
    }
    return found;
  };
  const named = reach([ENTRY]);
  return [...reach(parts)].filter((name) => !named.has(name)).flatMap((name) => manifest[name]?.file ?? []);
}

const preload = (file: string | undefined, as: string, more: string): string =>
  file === undefined ? '' : `<link rel="preload" as="${as}"${more} href="${file.startsWith('/') ? file : `/${file}`}">`;

/** Data in a page: no script, and nothing in it can end its element. */
const inert = (answers: FirstAnswers): string =>
  `<script type="application/json" id="first-answers">${JSON.stringify(answers).replaceAll('<', String.raw`\u003c`)}</script>`;
