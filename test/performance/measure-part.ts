import { benchAdmin } from './bench-admin.js';
import { benchBooks } from './bench-books.js';
import { benchChats } from './bench-chats.js';
import { benchDiscovery } from './bench-discovery.js';
import { benchGifts } from './bench-gifts.js';
import { benchHttp, benchServers } from './bench-http.js';
import { benchMemory } from './bench-memory.js';
import { benchProjections } from './bench-projections.js';
import { benchScroll } from './bench-scroll.js';
import { benchScale, benchStart } from './bench-start.js';
import { benchStores } from './bench-stores.js';
import { benchTokens } from './bench-tokens.js';
import { isPart, type Measured, type Part } from './parts.js';
import type { Figure } from './report.js';
import { Surroundings } from './surroundings.js';

/** The entry of a process that measures one part, and tells its parent what it found. */
const [name = '', given] = process.argv.slice(2);
const seconds = Number(given);
const log = (line: string): void => console.error(line);

if (!isPart(name)) throw new Error(`there is no measurement ${name}`);
const surroundings = await Surroundings.open(log);
const measure: Readonly<Record<Part, () => Figure[] | Promise<Figure[]>>> = {
  memory: () => benchMemory(),
  stores: () => benchStores(surroundings, seconds),
  gifts: () => benchGifts(surroundings, seconds),
  projections: () => benchProjections(surroundings, seconds),
  start: () => benchStart(surroundings, log),
  scale: () => benchScale(surroundings, log),
  http: () => benchHttp(surroundings, seconds),
  servers: () => benchServers(surroundings, seconds),
  tokens: () => benchTokens(surroundings, seconds),
  chats: () => benchChats(surroundings, seconds),
  discovery: () => benchDiscovery(surroundings, seconds),
  admin: () => benchAdmin(surroundings, log),
  books: () => benchBooks(surroundings, log),
  scroll: () => benchScroll(surroundings, log),
};
try {
  const figures = await measure[name]();
  process.send?.({ figures, fsync: await surroundings.setting('fsync') } satisfies Measured);
} finally {
  await surroundings.close();
}
process.disconnect?.();
