import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { AREA_TABLES, SCHEMA } from './schema.js';

const ROOT = path.resolve(__dirname, '../../..');
const API = 'apps/api/src/';

/** By table or own view; by published view the area that publishes it. */
const OWNERS = new Map(
  AREA_TABLES.flatMap(({ folder, tables, views = [] }) =>
    [...Object.keys(tables), ...views].map((name) => [name, folder]),
  ),
);
const DIRECTORIES = new Map(
  AREA_TABLES.flatMap(({ folder, directories = [] }) => directories.map((name) => [name, folder])),
);
/** Whose code alone may name the tables of a schema, and whose alone may write them. */
const SCHEMAS: Readonly<Record<string, { readonly owner: string; readonly isReadByAll: boolean }>> = {
  read: { owner: 'libs/projections/', isReadByAll: true },
  journal: { owner: 'libs/event-store/', isReadByAll: false },
  ledger: { owner: 'libs/ledger/', isReadByAll: false },
};

const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const NAMED =
  /\b(from|join|update|into|using|table|only|delete\s+from)\s+(?:(public|read|\$\{READ_SCHEMA\}|journal|ledger)\.)?([a-z_]+)\b/g;
const WRITES = /^(?:update|into|delete)/;

/** A sentence for each place in a file where SQL reaches into another area's tables. */
function breaches(file: string, text: string): string[] {
  const isIn = (folder: string): boolean => file.startsWith(`${API}${folder}/`);
  return [...text.replaceAll(COMMENTS, '').matchAll(NAMED)].flatMap(([, word = '', prefix = 'public', name = '']) => {
    const isWrite = WRITES.test(word);
    const schema = SCHEMAS[prefix === '${READ_SCHEMA}' ? 'read' : prefix];
    if (schema) {
      if (file.startsWith(schema.owner) || (schema.isReadByAll && !isWrite)) return [];
      return `${file}: ${prefix}.${name} belongs to ${schema.owner}: call a function of that library.`;
    }
    // There, a name without a schema is a read model's.
    const owner = file.startsWith('libs/projections/') ? undefined : OWNERS.get(name);
    if (owner !== undefined && !isIn(owner)) {
      const published = [...DIRECTORIES].filter(([, folder]) => folder === owner).map(([view]) => view);
      const orRead = published.length > 0 ? `, or read ${published.join(', ')}` : '';
      return `${file}: the table ${name} belongs to ${API}${owner}: call its code${orRead}.`;
    }
    return DIRECTORIES.has(name) && isWrite
      ? `${file}: ${name} is for reading: call ${API}${DIRECTORIES.get(name)}.`
      : [];
  });
}

describe('the tables of an area', () => {
  it('belong to one area, in one folder', () => {
    const names = AREA_TABLES.flatMap(({ tables, directories = [], views = [] }) => [
      ...Object.keys(tables),
      ...directories,
      ...views,
    ]);
    expect(names).toEqual([...new Set(names)]);
    for (const name of DIRECTORIES.keys()) expect(name).toMatch(/_directory$/);
  });

  it('are named in SQL by its own code alone', () => {
    const files = ['apps/api/src', 'libs'].flatMap((folder) =>
      readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    );
    // Foreign keys and steps of the past name whatever was there.
    const production = files.filter(
      (file) => file.endsWith('.ts') && !/\.(?:spec|suite)\.ts$|\/testing\/|\/migrations\.ts$/.test(file),
    );
    expect(production.length).toBeGreaterThan(500);
    expect(production.flatMap((file) => breaches(file, readFileSync(path.join(ROOT, file), 'utf8')))).toEqual([]);
  });

  it('are reached as entities by its own code alone', () => {
    const users = AREA_TABLES.map(({ folder }) => folder).filter((folder) => folder !== 'identity');
    const importing = [...new Set(users)].flatMap((folder) =>
      readdirSync(path.join(ROOT, API, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .filter((file) =>
          /^import \{.*identity\/entities\.js/m.test(readFileSync(path.join(ROOT, API, folder, file), 'utf8')),
        )
        .map((file) => `${folder}/${file}`),
    );
    expect(importing).toEqual([]);
  });

  it.each([
    [
      'feed/x.ts',
      'select a.id from accounts a',
      ['the table accounts belongs to', 'call its code, or read member_directory'],
    ],
    ['feed/x.ts', 'select from public.chat_pairs', ['the table chat_pairs belongs to apps/api/src/chats']],
    ['feed/x.ts', 'update member_directory set is_admin = true', ['member_directory is for reading']],
    ['feed/x.ts', 'delete from read.cards', ['read.cards belongs to libs/projections/']],
    ['feed/x.ts', 'select from journal.events', ['journal.events belongs to libs/event-store/']],
    ['feed/x.ts', 'select from read.cards k join member_directory m on true', []],
    ['identity/mail/x.ts', 'insert into mails as m (id) select id from accounts', []],
    ['feed/x.ts', '/** Takes it from accounts. */', []],
  ])('are watched: %s with %s', (file, text, told) => {
    const found = breaches(`${API}${file}`, text);
    expect(found).toHaveLength(Math.min(1, told.length));
    for (const part of told) expect(found[0]).toContain(part);
  });
});

/** What a server of the release before would miss, or could not write. */
const CONTRACTS =
  /\bdrop (?:table|column|view|schema)\b|\brename\b|\bset not null\b|\balter column \w+ (?:set data )?type\b|\badd (?:column )?\w+ [^,;]*\bnot null\b(?![^,;]*\bdefault\b)/i;

describe('a step of the schema', () => {
  it('takes nothing away that the last release uses', () => {
    const released = [...readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8').matchAll(/^## (\d+\.\d+\.\d+)/gm)];
    const versions = released.map(([, version]) => version);
    expect(versions).toContain('1.0.0');
    const steps = SCHEMA.areas.flatMap(({ migrations }) => migrations);
    const contracting = steps.filter(({ sql }) => CONTRACTS.test(sql));
    expect(contracting.length).toBeGreaterThan(2);
    expect(contracting.filter(({ unusedSince }) => !versions.includes(unusedSince))).toEqual([]);
  });

  it.each([
    ['alter table gifts drop column amount', true],
    ['drop view member_directory', true],
    ['alter table gifts rename to presents', true],
    ['alter table gifts alter column note set not null', true],
    ['alter table gifts alter column note type text', true],
    ['alter table gifts add column note text not null', true],
    ['alter table gifts add note text not null, add kind text default 0', true],
    [`alter table gifts add column note text not null default ''`, false],
    ['create table gifts (note text not null)', false],
    ['drop index gifts_note', false],
  ])('is known by what it does: %s', (sql, isContracting) => {
    expect(CONTRACTS.test(sql)).toBe(isContracting);
  });
});

describe('what a member takes out', () => {
  it('comes from every table that may hold rows of members, or the area says why not', () => {
    for (const { folder, tables, takeout } of AREA_TABLES) {
      const read = Object.values(takeout?.files ?? {}).map(({ sql }) => sql);
      const unnamed = Object.entries(tables).filter(
        ([name, rule]) =>
          rule !== 'nobody' &&
          takeout?.without?.[name] === undefined &&
          !read.some((sql) => new RegExp(`\\b(?:from|join) ${name}\\b`).test(sql)),
      );
      expect([folder, unnamed.map(([name]) => name)]).toEqual([folder, []]);
    }
  });

  it('has each file once, gives reasons for its own tables alone, and adds names to columns that there are', () => {
    const files = AREA_TABLES.flatMap(({ takeout }) => Object.entries(takeout?.files ?? {}));
    const names = files.map(([name]) => name);
    expect(names).toEqual([...new Set(names)]);
    for (const name of names) expect(name).toMatch(/^(?:[a-z-]+\/)?[a-z-]+$/);
    for (const { tables, takeout } of AREA_TABLES) {
      expect(Object.keys(tables)).toEqual(expect.arrayContaining(Object.keys(takeout?.without ?? {})));
    }
    for (const [, { sql, members = [] }] of files) {
      for (const column of members) expect(sql).toMatch(new RegExp(`as "${column}"`));
    }
  });
});
