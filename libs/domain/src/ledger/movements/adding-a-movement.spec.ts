import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../../../..');
const PAGE = readFileSync(path.join(ROOT, 'docs/adding-a-movement.md'), 'utf8');
const FILES_MAX = 8;
/** Compiling takes seconds, or minutes on a busy machine. */
const TIMEOUT_MS = 900_000;

/** The code blocks that name a file: a new file (`ts`), or a change of one (`diff`). */
const BLOCKS = [...PAGE.matchAll(/^```(ts|diff) (\S+)\n(.*?)^```$/gms)].map(([, kind, file = '', text = '']) => ({
  kind,
  file,
  text,
}));

/** Each part of a change has lines that are there (` `), that go (`-`) and that come (`+`), in this order and one place. */
function changed(before: string, { file, text }: { readonly file: string; readonly text: string }): string {
  let rest = before;
  let after = '';
  for (const part of text.split(/^@@\n/m)) {
    const lines = part.split('\n').slice(0, -1);
    const side = (signs: string) =>
      lines
        .filter(([sign = ' ']) => signs.includes(sign))
        .map((line) => `${line.slice(1)}\n`)
        .join('');
    const there = side(' -');
    const at = there === '' ? rest.length : `\n${rest}`.indexOf(`\n${there}`);
    if (at < 0) throw new Error(`${file} has no longer what the page changes:\n${there}`);
    after += rest.slice(0, at) + side(' +');
    rest = rest.slice(at + there.length);
  }
  return after + rest;
}

function run(cwd: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

describe('the tip of docs/adding-a-movement.md', () => {
  const copy = mkdtempSync(path.join(tmpdir(), 'nova-movement-'));

  beforeAll(() => {
    for (const name of ['apps', 'libs', 'test', 'package.json', 'tsconfig.json', 'jest.config.mjs']) {
      cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
    }
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'), 'junction');
    for (const block of BLOCKS) {
      const file = path.join(copy, block.file);
      const isNew = block.kind === 'ts';
      writeFileSync(file, isNew ? block.text : changed(readFileSync(file, 'utf8'), block), {
        flag: isNew ? 'wx' : 'w',
      });
    }
  }, TIMEOUT_MS);

  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  test(`touches ${FILES_MAX} files`, () => {
    expect(new Set(BLOCKS.map(({ file }) => file)).size).toBe(FILES_MAX);
  });

  test.each(['tsconfig.json', 'apps/web/tsconfig.json'])(
    'compiles with %s',
    (config) => {
      expect(run(copy, ['node_modules/@typescript/native/bin/tsc', '-p', config, '--noEmit'])).toBe('');
    },
    TIMEOUT_MS,
  );

  test(
    'passes the specs that a movement can break',
    () => {
      const specs = [
        ...['codec', 'invariants', 'replay', 'movements/registry'].map(
          (name) => `libs/domain/src/ledger/${name}.spec.ts`,
        ),
        'apps/api/src/platform/health/observed-commands.spec.ts',
        'apps/api/src/platform/origin-of-commands.spec.ts',
      ];
      const jest = ['node_modules/jest/bin/jest.js', '--selectProjects', 'pure', '--runInBand', '--runTestsByPath'];
      expect(run(copy, [...jest, ...specs])).toBe('');
    },
    TIMEOUT_MS,
  );
});
