import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What a page of the client begins with. */
export interface PageStart {
  /** The sources of its parts, as the build's manifest names them. */
  readonly parts: readonly string[];
  /** The reads that it begins with, as it asks for them. */
  readonly reads: readonly string[];
  /** Its own part of the shell, by its name in the page. */
  readonly shell?: string;
  /** From the answer to one of its reads, the pictures that this part shows. */
  readonly pictures?: { readonly read: string; of(answer: unknown): readonly (FirstPicture | null)[] };
}

/** The attributes of an `img`. */
export interface FirstPicture {
  readonly src: string;
  readonly srcSet?: string;
  readonly sizes?: string;
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
const FIRST_FONTS = ['src/styles/fonts/inter-latin.woff2', 'src/styles/fonts/sora-latin.woff2'];
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
  const { bare, shells, entry, entryParts } = readPage(readFileSync(path.join(folder, ENTRY), 'utf8'));
  const fonts = FIRST_FONTS.map((name) => preload(manifest[name]?.file, 'font', ' type="font/woff2" crossorigin'));

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
    const parts = isVisitor ? [] : partsOf(manifest, start.parts).map((file) => `/${file}`);
    const head = [
      ...fonts,
      isVisitor ? preload(FIRST_PICTURE, 'image', ' fetchpriority="high"') : '',
      // Scripts come behind the shell and its pictures, on the line as well.
      `<script defer src="/start.js" data-client="${entry}" data-parts="${[...entryParts, ...parts].join(' ')}"></script>`,
    ];
    const shell = isVisitor ? shells['visitor'] : memberShell(shells, start, answers);
    void reply.type('text/html; charset=utf-8').header('cache-control', 'private, no-store');
    return bare
      .replace('</head>', () => `${head.join('')}</head>`)
      .replace('<div id="root">', (root) => (start.parts.length > 0 ? `${root}${shell ?? ''}` : root))
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

/** The entry, as the build writes it. */
const ENTRY_SCRIPT = /<script type="module" crossorigin src="([^"]+)"><\/script>\s*/;
/** What the entry imports. */
const ENTRY_PART = /<link rel="modulepreload" crossorigin href="([^"]+)">\s*/g;
const SHELL = /<template data-shell="(\w+)">([\s\S]*?)<\/template>\s*/g;

const COMMENT = /<!--[\s\S]*?-->\s*/g;
const SPACE = /\s+/g;

type Shells = Readonly<Record<string, string>>;

/** The page without its shells and scripts, and these. */
function readPage(html: string): {
  readonly bare: string;
  readonly shells: Shells;
  readonly entry: string;
  readonly entryParts: readonly string[];
} {
  const shells = Object.fromEntries(
    [...html.matchAll(SHELL)].map(([, name = '', shell = '']) => [name, shell.trim().replaceAll(SPACE, ' ')]),
  );
  const bare = html.replaceAll(SHELL, '').replaceAll(COMMENT, '').replaceAll(ENTRY_PART, '').replace(ENTRY_SCRIPT, '');
  const entry = ENTRY_SCRIPT.exec(html)?.[1] ?? '';
  const entryParts = [...html.matchAll(ENTRY_PART)].map(([, file = '']) => file);
  return { bare, shells, entry, entryParts };
}

const PICTURE_PLACE = /<img data-picture([^>]*)>/g;

/** The frame of members' pages around the page's own part, with its first pictures; without them, their places are empty. */
function memberShell(shells: Shells, { shell, pictures }: PageStart, answers: FirstAnswers): string {
  const [status, answer] = (pictures && answers[pictures.read]) ?? [];
  const found = pictures && status === 200 ? [...pictures.of(answer)] : [];
  const part = (shells[shell ?? ''] ?? '').replaceAll(PICTURE_PLACE, (_, more: string) => {
    const picture = found.shift();
    return picture ? `<img${attributes(picture)}${more}>` : '';
  });
  return (shells['member'] ?? '').replace('<slot></slot>', () => part);
}

const attributes = (picture: FirstPicture): string =>
  Object.entries(picture)
    .map(
      ([name, text]) => ` ${name.toLowerCase()}="${String(text).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`,
    )
    .join('');

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
