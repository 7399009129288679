import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
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
import { table, type Figure } from './report.js';
import { Surroundings } from './surroundings.js';

const OUTPUT = 'dist/bench/results.json';

const { values } = parseArgs({ options: { only: { type: 'string' }, seconds: { type: 'string', default: '8' } } });
const seconds = Number(values.seconds);
const log = (line: string): void => console.error(line);

const surroundings = await Surroundings.open(log);
const parts: Readonly<Record<string, () => Figure[] | Promise<Figure[]>>> = {
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
const wanted = values.only?.split(',') ?? Object.keys(parts);
const figures: Figure[] = [];
try {
  for (const name of wanted) {
    const part = parts[name];
    if (!part) throw new Error(`there is no measurement ${name}: ${Object.keys(parts).join(', ')}`);
    log(`Measuring ${name} …`);
    figures.push(...(await part()));
  }
  const machine = {
    cpus: cpus().length,
    cpu: cpus()[0]?.model,
    node: process.version,
    fsync: await surroundings.setting('fsync'),
  };
  console.log(`\n${machine.cpus} × ${machine.cpu}, Node ${machine.node}, Postgres fsync ${machine.fsync}\n`);
  console.log(table(figures));
  await mkdir(path.dirname(OUTPUT), { recursive: true });
  await writeFile(OUTPUT, `${JSON.stringify({ at: new Date().toISOString(), machine, figures }, undefined, 2)}\n`);
  console.log(`\nWritten to ${OUTPUT}.`);
} finally {
  await surroundings.close();
}
