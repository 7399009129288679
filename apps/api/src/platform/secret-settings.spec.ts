import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConfigError, loadConfig } from './config.js';
import { SECRET_SETTINGS, SecretFileError, withSecretFiles } from './secret-settings.js';

const ROOT = path.resolve(__dirname, '../../../..');

describe('settings with secrets', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'nova-secrets-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(SECRET_SETTINGS)(
    '%s comes from a file as well as from the environment, and from one of them alone',
    (name) => {
      const file = path.join(folder, name);
      const setting = `${name}_FILE`;
      writeFileSync(file, ' the secret\n');
      expect(withSecretFiles({ PORT: '1', [setting]: file })).toMatchObject({ PORT: '1', [name]: 'the secret' });
      expect(withSecretFiles({ [name]: 'given', [setting]: ' ' })).toMatchObject({ [name]: 'given' });
      expect(() => withSecretFiles({ [name]: 'given', [setting]: file })).toThrow(
        new SecretFileError(`${name} and ${setting} are both set. Remove one.`),
      );
      writeFileSync(file, '\n');
      expect(() => withSecretFiles({ [setting]: file })).toThrow(`${setting} names ${file}, which is empty.`);
      rmSync(file);
      expect(() => withSecretFiles({ [setting]: file })).toThrow(
        new RegExp(`^${setting} must name a readable file: ENOENT`),
      );
    },
  );

  it('are read from their files where the server reads its settings', () => {
    const file = path.join(folder, 'database-url');
    writeFileSync(file, 'postgres://nova:secret@db/nova\n');
    expect(loadConfig({ NOVA_DATA_DIR: folder, DATABASE_URL_FILE: file }).databaseUrl).toBe(
      'postgres://nova:secret@db/nova',
    );
    const secret = path.join(folder, 'session-secret');
    writeFileSync(secret, 'a secret of some length');
    expect(loadConfig({ NOVA_DATA_DIR: folder, SESSION_SECRET_FILE: secret }).secrets.session).toBe(
      'a secret of some length',
    );
    expect(() =>
      loadConfig({ NOVA_DATA_DIR: folder, DATABASE_URL_FILE: file, DATABASE_URL: 'postgres://other' }),
    ).toThrow(new ConfigError('DATABASE_URL and DATABASE_URL_FILE are both set. Remove one.'));
  });

  it('are documented, and none is left out that looks like one', () => {
    const [, table = ''] = /^## Configuration\n(.*?)^## /ms.exec(read('docs/operations.md')) ?? [];
    const names = [...table.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name);
    // What is told to every browser, and what is the name of a key without being one.
    const open = /^(?:PUBLIC_URL|STUN_URLS|TURN_URLS|STRIPE_PUBLISHABLE_KEY)$/;
    const secret = names.filter(
      (name) => /SECRET|KEY(?:_|$)|CREDENTIAL|PASSWORD|JWKS|_URLS?$/.test(name) && !open.test(name),
    );
    expect(secret.length).toBeGreaterThan(5);
    expect(secret.filter((name) => !SECRET_SETTINGS.some((known) => known === name))).toEqual([]);
  });

  it('are kept from what the launcher runs before there is a server', () => {
    const given = [...SECRET_SETTINGS.flatMap((name) => [name, `${name}_FILE`]), 'OTEL_EXPORTER_OTLP_HEADERS'];
    const program = `import { withoutSecrets } from './scripts/steps/secrets.mjs';
      process.stdout.write(Object.keys(withoutSecrets(process.env)).join(' '));`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: ROOT,
      env: { ...process.env, ...Object.fromEntries(given.map((name) => [name, 'a secret'])), HARMLESS: 'yes' },
      encoding: 'utf8',
    });
    const passed = stdout.split(' ');
    expect(passed).toEqual(expect.arrayContaining(['PATH', 'HARMLESS']));
    expect(passed.filter((name) => given.includes(name))).toEqual([]);
    // Every program but the server itself: packages' own scripts, compilers, programs of Postgres.
    for (const script of ['scripts/steps/prepare.mjs', 'scripts/database.mjs']) {
      expect(read(script)).toContain('withoutSecrets(process.env)');
    }
    expect(
      read('scripts/steps/prepare.mjs')
        .match(/runOrExplain\([^;]*/g)
        ?.join(),
    ).not.toMatch(/command\)\)|args\)\)/);
  });
});

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
