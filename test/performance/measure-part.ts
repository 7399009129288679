import { PARTS, type Measured } from './parts.js';
import { Surroundings } from './surroundings.js';

/** The entry of a process that measures one part, and sends the results to its parent. */
const [name = '', seconds] = process.argv.slice(2);
const log = (line: string): void => console.error(line);

const measure = PARTS[name];
if (!measure) throw new Error(`there is no measurement ${name}`);
const surroundings = await Surroundings.open(log);
try {
  const figures = await measure({ surroundings, seconds: Number(seconds), log });
  process.send?.({ figures, fsync: await surroundings.setting('fsync') } satisfies Measured);
} finally {
  await surroundings.close();
}
