import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PARTS, type Measured } from './parts.js';
import { table, type Figure } from './report.js';

const OUTPUT = 'dist/bench/results.json';
const PART = fileURLToPath(new URL('./measure-part.js', import.meta.url));

const { values } = parseArgs({ options: { only: { type: 'string' }, seconds: { type: 'string', default: '8' } } });

/**
 * Each part has a process and a Postgres of its own: in a shared process, collecting the garbage of millions of events
 * took up to half of the time of later measurements.
 */
async function measured(part: string): Promise<Measured> {
  console.error(`Measuring ${part} …`);
  let found: Measured | undefined;
  const child = fork(PART, [part, values.seconds]);
  child.on('message', (said) => {
    found = said as Measured;
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0 || !found) throw new Error(`measuring ${part} ended with ${code ?? 'a signal'}`);
  return found;
}

const wanted = values.only?.split(',') ?? Object.keys(PARTS);
for (const part of wanted) {
  if (!Object.hasOwn(PARTS, part)) throw new Error(`there is no measurement ${part}: ${Object.keys(PARTS).join(', ')}`);
}
const figures: Figure[] = [];
let fsync = '';
for (const part of wanted) {
  const found = await measured(part);
  figures.push(...found.figures);
  ({ fsync } = found);
}
const machine = { cpus: cpus().length, cpu: cpus()[0]?.model, node: process.version, fsync };
console.log(`\n${machine.cpus} × ${machine.cpu}, Node ${machine.node}, Postgres fsync ${machine.fsync}\n`);
console.log(table(figures));
await mkdir(path.dirname(OUTPUT), { recursive: true });
await writeFile(OUTPUT, `${JSON.stringify({ at: new Date().toISOString(), machine, figures }, undefined, 2)}\n`);
console.log(`\nWritten to ${OUTPUT}.`);
