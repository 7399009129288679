import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
      .filter(({ name }) => name !== '__snapshots__')
      .map(({ name }) => `${parent}/${name}`);
  const libraries = foldersIn('libs');
  const mapped = [
    ...libraries,
    ...libraries.flatMap((library) => foldersIn(`${library}/src`)),
    ...['apps', 'apps/api/src', 'apps/web/src', 'test', 'scripts', 'tools'].flatMap(foldersIn),
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

/** `npm run check` runs it on the repository itself. */
describe('the check of the docs', () => {
  const RULE = `# Gifts

### gifts-1

Half of a gift is the recipient's.

- Enforced: \`libs/gift.ts\`.
- Tested: \`libs/gift.spec.ts\`.
`;
  const sound = {
    'docs/spec/gifts.md': RULE,
    'libs/gift.ts': '/** Half of it (rule gifts-1). */',
    'libs/gift.spec.ts': '',
    'docs/chats.md': '# Chats\n\n## Who decides, and what\n',
    'README.md': '[gifts](docs/spec/gifts.md#gifts-1), [chats](docs/chats.md#who-decides-and-what), `[x](nowhere.md)`',
  };
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'nova-docs-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  function check(files: Readonly<Record<string, string>>): { status: number | null; problems: string[] } {
    for (const [file, text] of Object.entries({ ...sound, ...files })) {
      mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    }
    const script = path.join(ROOT, 'scripts/check-docs.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
    return { status, problems: stderr.split('\n').filter((line) => line !== '') };
  }

  it('passes where every citation and link leads somewhere', () => {
    expect(check({})).toEqual({ status: 0, problems: [] });
  });

  it('takes a rule that no spec holds only where it says so', () => {
    const untested = RULE.replace('`libs/gift.spec.ts`', 'not yet');
    expect(check({ 'docs/spec/gifts.md': untested })).toEqual({ status: 0, problems: [] });
  });

  it.each([
    [
      'a rule that there is not',
      'libs/a.ts',
      '// As asked (rules gifts-1, gifts-2).',
      'a.ts:1: there is no rule gifts-2',
    ],
    ['a document of elsewhere', 'libs/a.ts', '// decisions\u002emd, Chats', 'a.ts:1: "decisions'],
    ['a chapter of elsewhere', 'libs/a.ts', '// S1 \u00a72.3', 'a.ts:1: "S1'],
    ['a link to no file', 'docs/a.md', '[a](b.md)', 'a.md:1: the link b.md leads to no file'],
    ['a link to no heading', 'docs/a.md', '[a](chats.md#who)', 'a.md:1: the link chats.md#who leads to no heading'],
    ['code that is gone', 'docs/spec/gifts.md', RULE.replace('gift.ts', 'gone.ts'), 'names `libs/gone.ts`'],
    ['a spec that is gone', 'docs/spec/gifts.md', RULE.replace('gift.spec', 'gone.spec'), 'names `libs/gone.spec.ts`'],
    ['a rule without code', 'docs/spec/gifts.md', RULE.replace(/^- Enf.*\n/m, ''), 'does not say where'],
    ['a number given twice', 'docs/spec/gifts.md', `${RULE}\n${RULE}`, 'there are two rules gifts-1'],
    ['a rule of another area', 'docs/spec/chats.md', RULE, 'is not a rule of chats'],
  ])('fails for %s', (_what, file, text, problem) => {
    const { status, problems } = check({ [file]: text });
    expect(status).toBe(1);
    expect(problems.join('\n')).toContain(problem);
  });
});
