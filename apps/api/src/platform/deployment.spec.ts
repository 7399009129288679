import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { readArguments } from '../finance/cli-arguments.js';
import { readSettings } from './config.js';

const ROOT = path.resolve(__dirname, '../../../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const unique = (found: Iterable<string>): string[] => [...new Set(found)].toSorted();

interface Service {
  readonly image: string;
  readonly restart?: string;
  readonly command?: string | readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly volumes?: readonly string[];
  readonly profiles?: readonly string[];
}

/** What Prometheus is told to read. */
interface Watching {
  readonly rule_files: readonly string[];
  readonly scrape_configs: readonly {
    readonly job_name: string;
    readonly static_configs: readonly { readonly targets: readonly string[] }[];
  }[];
}

/** Of version 1.1, whose `<<` merges. */
interface Yaml {
  readonly YAML11_SCHEMA: unknown;
  readonly load: (text: string, options: object) => { readonly services: Readonly<Record<string, Service>> };
}

/** What must agree with the program, so that nobody meets the difference while deploying (`docs/operations.md`, Several servers). */
describe('the image and the compose file', () => {
  const dockerfile = read('Dockerfile').replaceAll('\\\n', '');
  const compose = read('docker-compose.yml');
  const { load, YAML11_SCHEMA } = createRequire(path.join(ROOT, 'node_modules/@nestjs/swagger/package.json'))(
    'js-yaml',
  ) as Yaml;
  const { services } = load(compose, { schema: YAML11_SCHEMA });
  const withTls = read('deploy/tls.yml');
  const secure = load(withTls, { schema: YAML11_SCHEMA }).services;
  const programs = Object.entries(services).filter(([, { image }]) => image === 'nova');
  const servers = programs.filter(([, { command }]) => command === undefined);
  const postgres = services['postgres'];

  it("set the server's V8 as the launcher does", () => {
    const [, flags = ''] = /V8_FLAGS = (\[[^\]]*\])/.exec(read('scripts/steps/v8-flags.mjs')) ?? [];
    const named = [...flags.matchAll(/'(--[^']+)'/g)].map(([, flag]) => flag);
    expect(named.length).toBeGreaterThan(0);
    const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(dockerfile) ?? [];
    const server = 'dist/apps/api/src/main.js';
    expect(JSON.parse(command)).toEqual(['node', '--enable-source-maps', ...named, server]);
    expect(existsSync(path.join(ROOT, server.replace('dist/', '').replace(/js$/, 'ts')))).toBe(true);
  });

  it('are made of files that are there and are let through', () => {
    const copies = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from = '']) => from.split(' '));
    const letThrough = new Set(read('.dockerignore').split('\n'));
    expect(copies).toContain('package-lock.json');
    for (const file of copies) {
      expect([file, existsSync(path.join(ROOT, file)), letThrough.has(`!${file}`)]).toEqual([file, true, true]);
    }
  });

  it('give the programs settings that exist, and ask for all that they need', () => {
    const asked = unique([...`${compose}${withTls}`.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name));
    const example = read('deploy/.env.example');
    expect(unique([...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name))).toEqual(asked);

    expect(servers.length).toBeGreaterThan(1);
    const documented = read('docs/operations.md');
    const secured = programs.map(([name]) => [name, secure[name] ?? { image: '' }] as const);
    for (const [, { environment = {} }] of [...programs, ...secured]) {
      for (const name of Object.keys(environment)) expect(documented).toContain(`\`${name}\``);
      const filledIn = Object.entries(environment).map(([name, value]) => [
        name,
        name === 'PUBLIC_URL' ? 'https://nova.example.com' : value.replaceAll(/\$\{[^}]*\}/g, ''),
      ]);
      expect(() => readSettings(Object.fromEntries(filledIn))).not.toThrow();
    }
  });

  it('have a proxy before all servers and none else', () => {
    const [, upstreams = ''] = /reverse_proxy (.*) \{/.exec(read('deploy/Caddyfile')) ?? [];
    expect(upstreams.split(' ')).toEqual(servers.map(([name]) => `${name}:3000`));
  });

  it('have each server watched, by the dashboard and the alerts that are there', () => {
    const { scrape_configs: jobs, rule_files: rules } = load(read('ops/prometheus/prometheus.yml'), {
      schema: YAML11_SCHEMA,
    }) as unknown as Watching;
    expect(rules).toEqual(['alerts.yml']);
    const targets = (job: string): unknown => jobs.find((it) => it.job_name === job)?.static_configs[0]?.targets;
    expect(targets('nova')).toEqual(servers.map(([name]) => `${name}:3000`));
    expect(targets('machine')).toEqual(['machine:9100']);
    for (const name of ['prometheus', 'machine', 'grafana']) expect(services[name]?.profiles).toEqual(['monitoring']);
    for (const volume of ['prometheus', 'grafana'].flatMap((name) => services[name]?.volumes ?? [])) {
      const [from = ''] = volume.split(':');
      if (from.startsWith('./')) expect([from, existsSync(path.join(ROOT, from))]).toEqual([from, true]);
    }
    expect(read('ops/grafana/provisioning/datasources/prometheus.yml')).toContain("url: 'http://prometheus:9090'");
  });

  it('make the database as the embedded one is made', () => {
    const embedded =
      read('apps/api/src/platform/embedded-postgres.ts').match(/'--(?:encoding|[a-z-]*locale)[^']*'/g) ?? [];
    expect(embedded.length).toBeGreaterThan(3);
    const given = postgres?.environment?.['POSTGRES_INITDB_ARGS']?.split(' ') ?? [];
    expect(unique(given)).toEqual(unique(embedded.map((option) => option.slice(1, -1))));
  });

  const roleIn = (address = '', password = ''): string | undefined =>
    new RegExp(`^postgres://(\\w+):\\$\\{${password}\\b`).exec(address)?.[1];

  it('let the servers work as a role that neither owns the journal nor has the password of its owner', () => {
    const superuser = postgres?.environment?.['POSTGRES_USER'];
    for (const [, { environment }] of programs) {
      expect(roleIn(environment?.['DATABASE_URL'], 'POSTGRES_PASSWORD')).toBe('nova');
    }
    for (const [, { environment }] of servers) {
      expect(JSON.stringify(environment)).not.toMatch(/OWNER|SUPERUSER/);
    }
    expect([superuser, postgres?.environment?.['POSTGRES_DB']]).toEqual(['postgres', undefined]);
    // The image runs what lies there, and the statements are those of the page, but for passwords and a locale.
    expect(postgres?.volumes).toContain('./deploy/nova-roles.sh:/docker-entrypoint-initdb.d/nova-roles.sh:ro');
    const script = read('deploy/nova-roles.sh');
    const [, section = ''] = /^## A role that owns the journal\n(.*?)^##/ms.exec(read('docs/postgres.md')) ?? [];
    const [roles = '', rights = ''] = [...section.matchAll(/^```sql\n(.*?)^```/gms)].map(([, sql = '']) => sql);
    const plain = roles
      .replace(/'a long .*?'/, ":'password'")
      .replace(/'another long .*?'/, ":'owner_password'")
      .replace(/ template template0\n.*?;/, ';');
    expect(plain.match(/nosuperuser/g)).toHaveLength(2);
    expect(script).toContain(`${plain}\\connect nova\n${rights}SQL\n`);
  });

  it('bring the journal up to date as its owner before a server starts', () => {
    const prepare = services['prepare'];
    const [node, file = '', command] = prepare?.command ?? [];
    expect([node, command, prepare?.restart]).toEqual(['node', 'prepare', 'no']);
    expect(existsSync(path.join(ROOT, file.replace('dist/', '').replace(/js$/, 'ts')))).toBe(true);
    expect(readArguments(['prepare']).command).toBe('prepare');
    expect(roleIn(prepare?.environment?.['DATABASE_OWNER_URL'], 'POSTGRES_OWNER_PASSWORD')).toBe('nova_owner');
    for (const [, { depends_on: waits }] of servers) {
      expect(waits?.['prepare']).toEqual({ condition: 'service_completed_successfully' });
    }
  });

  it('ask a node of the event store at the address where it listens', () => {
    const nodes = Object.values(services).filter(({ environment }) => environment?.['EVENTSTORE_NODE_IP']);
    expect(nodes).toHaveLength(3);
    for (const { restart } of nodes) expect(restart).toBe('always');
    for (const { healthcheck } of nodes) expect(healthcheck?.test.join(' ')).toContain('//$$EVENTSTORE_NODE_IP:2113/');
  });

  it('give every node of the event store a certificate where there is TLS, and the servers its authority', () => {
    const nodes = Object.entries(services).filter(([name]) => name.startsWith('eventstore-'));
    for (const [name, { environment }] of nodes) {
      const number = name.slice('eventstore-'.length);
      expect(environment?.['EVENTSTORE_NODE_IP']).toBe(`172.30.7.1${number}`);
      expect(secure[name]?.environment?.['EVENTSTORE_INSECURE']).toBe('false');
      expect(secure[name]?.volumes).toEqual(['trusted:/trusted:ro', `node-${number}:/certificate:ro`]);
      expect(secure[name]?.healthcheck?.test.join(' ')).toContain('https://$$EVENTSTORE_NODE_IP:2113/');
    }
    for (const [name] of programs) {
      expect(secure[name]?.environment?.['EVENTSTORE_URL']).toMatch(/\?tls=true&tlsCAFile=\/trusted\/ca\.crt$/);
      expect(secure[name]?.volumes).toEqual(['trusted:/trusted:ro']);
    }
  });
});
