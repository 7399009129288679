import { benchAdmin } from './bench-admin.js';
import { benchBeside } from './bench-beside.js';
import { benchBooks } from './bench-books.js';
import { benchBytes } from './bench-bytes.js';
import { benchChats } from './bench-chats.js';
import { benchDollars } from './bench-dollars.js';
import { benchDiscovery } from './bench-discovery.js';
import { benchEventStoreDb } from './bench-eventstoredb.js';
import { benchFirstPage } from './bench-first-page.js';
import { benchFirstStart } from './bench-first-start.js';
import { benchGifts } from './bench-gifts.js';
import { benchHttp } from './bench-http.js';
import { benchMemory } from './bench-memory.js';
import { benchPages } from './bench-pages.js';
import { benchProjections } from './bench-projections.js';
import { benchScroll } from './bench-scroll.js';
import { benchServers, benchServersApart } from './bench-servers.js';
import { benchSignedReading, benchSigning } from './bench-signing.js';
import { benchScale, benchStart } from './bench-start.js';
import { benchStores } from './bench-stores.js';
import { benchTokens } from './bench-tokens.js';
import { benchVerify } from './bench-verify.js';
import { benchWebhooks } from './bench-webhooks.js';
import type { Figure } from './report.js';
import type { Surroundings } from './surroundings.js';

interface Conditions {
  readonly surroundings: Surroundings;
  /** How long each rate is measured. */
  readonly seconds: number;
  readonly log: (line: string) => void;
}

/** What `npm run bench` measures, by name and in this order. */
export const PARTS: Readonly<Record<string, (given: Conditions) => Figure[] | Promise<Figure[]>>> = {
  memory: () => benchMemory(),
  stores: ({ surroundings, seconds }) => benchStores(surroundings, seconds),
  gifts: ({ surroundings, seconds }) => benchGifts(surroundings, seconds),
  signing: ({ surroundings, seconds }) => benchSigning(surroundings, seconds),
  'signed-reading': ({ surroundings }) => benchSignedReading(surroundings),
  projections: ({ surroundings, seconds }) => benchProjections(surroundings, seconds),
  start: ({ surroundings, log }) => benchStart(surroundings, log),
  scale: ({ surroundings, log }) => benchScale(surroundings, log),
  verify: ({ surroundings, log }) => benchVerify(surroundings, log),
  http: ({ surroundings, seconds }) => benchHttp(surroundings, seconds),
  beside: ({ surroundings, seconds }) => benchBeside(surroundings, seconds),
  eventstoredb: ({ surroundings, seconds }) => benchEventStoreDb(surroundings, seconds),
  bytes: ({ surroundings, seconds }) => benchBytes(surroundings, seconds),
  servers: ({ surroundings, seconds }) => benchServers(surroundings, seconds),
  'servers-apart': ({ surroundings, seconds, log }) => benchServersApart(surroundings, seconds, log),
  tokens: ({ surroundings, seconds }) => benchTokens(surroundings, seconds),
  webhooks: ({ surroundings, seconds }) => benchWebhooks(surroundings, seconds),
  chats: ({ surroundings, seconds }) => benchChats(surroundings, seconds),
  discovery: ({ surroundings, seconds }) => benchDiscovery(surroundings, seconds),
  'first-page': ({ surroundings, seconds, log }) => benchFirstPage(surroundings, seconds, log),
  admin: ({ surroundings, log }) => benchAdmin(surroundings, log),
  books: ({ surroundings, log }) => benchBooks(surroundings, log),
  dollars: ({ surroundings, log }) => benchDollars(surroundings, log),
  pages: ({ surroundings, log }) => benchPages(surroundings, log),
  scroll: ({ surroundings, log }) => benchScroll(surroundings, log),
  'first-start': () => benchFirstStart(),
};

/** The result that the process of a part sends at its end. */
export interface Measured {
  readonly figures: readonly Figure[];
  /** Postgres' setting. */
  readonly fsync: string;
}
