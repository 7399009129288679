import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The release that runs, as its `package.json` says: above the sources, and above what was built from them. */
export const RELEASE = releaseAbove(import.meta.dirname);

function releaseAbove(folder: string): string {
  const file = path.join(folder, 'package.json');
  if (!existsSync(file)) return releaseAbove(path.dirname(folder));
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
