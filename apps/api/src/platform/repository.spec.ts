import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

  it('are the commands that README, CONTRIBUTING and docs tell of', () => {
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
    const pages = ['README.md', 'CONTRIBUTING.md', ...inFolder('docs', '.md')];
    const told = pages.flatMap((page) => [...read(page).matchAll(/npm run (?:-s )?([a-z:]+)/g)]);
    expect(told.length).toBeGreaterThan(50);
    expect(told.filter(([, name = '']) => !(name in scripts)).map(([text]) => text)).toEqual([]);
  });

  it('find the client of the sources where Vite serves it', () => {
    const [, port = ''] = /port: (\d+)/.exec(read('apps/web/vite.config.ts')) ?? [];
    expect(read('scripts/start.mjs')).toContain(`isDev ? ${port} : port`);
  });

  it("are told so that what they print is theirs alone, without npm's banner", () => {
    const telling = ['README.md', ...inFolder('docs', '.md'), ...inFolder('scripts', '.mjs')];
    const program = ['cli.ts', 'rebuild.ts'].map((name) => `apps/api/src/finance/${name}`);
    const withBanner = [...telling, ...program].filter((file) => /npm run (?:ledger|database) --/.test(read(file)));
    expect(withBanner).toEqual([]);
  });
});

/** Folders that the tables of `docs/architecture.md` name: in the first column by path, in one that is headed by a path by name. */
function foldersOnTheMap(): string[] {
  const namedIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  let parents: (string | undefined)[] = [];
  return read('docs/architecture.md')
    .split('\n')
    .flatMap((line, at, lines) => {
      const cells = line.split('|').slice(1, -1);
      if (lines[at + 1]?.startsWith('| -')) {
        parents = cells.map((cell, column) => namedIn(cell)[0] ?? (column === 0 ? '' : undefined));
        return [];
      }
      return cells.flatMap((cell, column) => {
        const parent = parents[column];
        return parent === undefined ? [] : namedIn(cell).map((name) => path.posix.join(parent, name));
      });
    });
}

describe('the map in docs/architecture.md', () => {
  const foldersIn = (parent: string): string[] =>
    readdirSync(path.join(ROOT, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${parent}/${name}`);
  const libraries = foldersIn('libs');
  const mapped = [
    ...libraries,
    ...libraries.flatMap((library) => foldersIn(`${library}/src`)),
    ...['apps', 'apps/api/src', 'apps/web/src', 'test', 'scripts'].flatMap(foldersIn),
    ...foldersIn('apps/web/src/features'),
  ];

  it('names every folder', () => {
    // Of its features, each is named instead.
    const folders = mapped.filter((folder) => folder !== 'apps/web/src/features');
    expect(folders.length).toBeGreaterThan(100);
    expect(folders.filter((folder) => !foldersOnTheMap().includes(folder))).toEqual([]);
  });

  it('names no folder that is not there', () => {
    const named = foldersOnTheMap();
    expect(named.filter((folder) => !existsSync(path.join(ROOT, folder)))).toEqual([]);
    expect(named.toSorted()).toEqual([...new Set(named)].toSorted());
  });
});
