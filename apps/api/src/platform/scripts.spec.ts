import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const inFolder = (folder: string, ending: string): string[] =>
  readdirSync(path.join(ROOT, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);

/** The script and every file of ours that is loaded before its first line runs. */
function loadedBy(script: string, seen = new Set<string>()): Set<string> {
  if (seen.has(script)) return seen;
  seen.add(script);
  for (const [, file = ''] of read(script).matchAll(/ from '(\.[^']+)';$/gm)) {
    loadedBy(path.posix.join(path.posix.dirname(script), file), seen);
  }
  return seen;
}

describe('the scripts', () => {
  const checking = inFolder('scripts', '.mjs').filter((script) => read(script).includes('\nrequireNode();\n'));

  it('say which Node they need on one that is too old', () => {
    expect(checking).toContain('scripts/start.mjs');
    const loaded = new Set(checking.flatMap((script) => [...loadedBy(script)]));
    expect(loaded).toContain('scripts/steps/run.mjs');
    // Node 20.11 and later have these.
    expect([...loaded].filter((file) => /import\.meta\.(?:dirname|filename)/.test(read(file)))).toEqual([]);
  });

  it("are told so that what they print is theirs alone, without npm's banner", () => {
    const telling = ['README.md', ...inFolder('docs', '.md'), ...inFolder('scripts', '.mjs')];
    const program = ['cli.ts', 'rebuild.ts'].map((name) => `apps/api/src/finance/${name}`);
    const withBanner = [...telling, ...program].filter((file) => /npm run (?:ledger|database) --/.test(read(file)));
    expect(withBanner).toEqual([]);
  });
});
