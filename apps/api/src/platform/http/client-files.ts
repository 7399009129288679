import { statSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { clientPage, type PageStarts } from './client-page.js';

/** Paths that are never the client's (of /oauth three are), however they are spelled: what is not there answers 404 as JSON. */
const NOT_CLIENT =
  /^(?:api|objects|sandbox|health|metrics|oauth(?!\/(?:consent(?:\/test)?|demo)\/?$)|\.well-known|ws)(?:\/|$)/i;

const PAGE = 'index.html';
/** What browsers must not keep: the page, and the service worker and what installs it. */
const ALWAYS_ASKED = /^(?:.*\.html|sw\.js|manifest\.webmanifest)(?:\.br|\.gz)?$/;

/** A part that begins with a dot: `..`, `.git`, `.env`. */
const HIDDEN = /(?:^|\/)\./;

const YEAR = 'public, max-age=31536000, immutable';
const HOUR = 'public, max-age=3600';

/**
 * Serves the built client from a folder: hashed assets for ever, and the page, always asked for anew, for every other path, so that
 * the client's own routes can be opened directly. Who opens the page gets it with what it begins with. Range requests work (video). Where the build has
 * left a compressed twin (`.br`, `.gz`), browsers that can read it get that.
 */
export async function serveClient(fastify: FastifyInstance, folder: string, starts: PageStarts): Promise<void> {
  await fastify.register(fastifyStatic, {
    root: folder,
    serve: false,
    cacheControl: false,
    preCompressed: true,
    setHeaders(reply, file) {
      void reply.header('cache-control', cacheControl(path.relative(folder, file)));
    },
  });
  const page = clientPage(fastify, folder, starts);
  fastify.get('/*', async (request, reply) => {
    const pathname = request.url.split('?', 1)[0] ?? '/';
    const file = clientFile(folder, pathname);
    if (file === PAGE && page && isOpened(request)) return page(request, reply);
    if (file !== undefined) return reply.sendFile(file);
    reply.callNotFound();
    return reply;
  });
}

/** The file that answers a path, or undefined when nothing does. */
function clientFile(folder: string, pathname: string): string | undefined {
  const name = fileName(pathname);
  if (name === undefined || NOT_CLIENT.test(name)) return undefined;
  if (isFile(path.join(folder, name))) return name;
  // A file that is not there is not a page: a browser must not take HTML for an image or a script.
  return path.extname(name) === '' && isFile(path.join(folder, PAGE)) ? PAGE : undefined;
}

/** The path inside the folder, or undefined when it is malformed, leads outside, or is of what is hidden. */
function fileName(pathname: string): string | undefined {
  try {
    const name = path.posix.normalize(decodeURIComponent(pathname)).replace(/^\/+/, '');
    return name.includes('\0') || HIDDEN.test(name) ? undefined : name.replace(/\/$/, '');
  } catch {
    return undefined;
  }
}

/** Not by a script, which looks whether there is a newer release. Browsers that do not say open it. */
const isOpened = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && (headers['sec-fetch-dest'] ?? 'document') === 'document';

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    // Absent, or no name that a file could have.
    return false;
  }
}

function cacheControl(name: string): string {
  if (name.startsWith(`assets${path.sep}`)) return YEAR;
  return ALWAYS_ASKED.test(name) ? 'no-cache' : HOUR;
}
