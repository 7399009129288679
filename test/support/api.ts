import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseSetCookie, stringifyCookie } from 'cookie';
import { createApp, type NovaApp } from '../../apps/api/src/create-app.js';
import { loadConfig } from '../../apps/api/src/platform/config.js';
import { migrate } from '../../apps/api/src/platform/database/data-source.js';
import { SCHEMA } from '../../apps/api/src/schema.js';
import { freePort } from './product.js';
import { createTestDatabase, type Template, type TestDatabase } from './postgres.js';
import { keepSigningKeys, lendSigningKeys } from './signing-keys.js';
import { GOOD_PASSWORD, GOOD_PIN } from './secrets.js';

// Jest ignores `testTimeout` of a project. Starting an application on a busy machine takes seconds.
jest.setTimeout(60_000);

/** The whole application, listening on a port of its own, on a database of its own. */
export interface TestApi {
  readonly url: string;
  readonly database: TestDatabase;
  readonly nova: NovaApp;
  /** A browser without any history. */
  browser(): TestBrowser;
  /** A new member, registered through the API, in a browser of their own. */
  member(given?: Partial<RegistrationBody>): Promise<TestMember>;
  close(): Promise<void>;
}

export interface RegistrationBody {
  displayName: string;
  email: string;
  password: string;
  pin: string;
  tcConsent: boolean;
  tcVersion: string;
}

export interface TestMember {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly pin: string;
  readonly displayName: string;
  readonly browser: TestBrowser;
}

export interface TestApiOptions {
  /** Settings beside those that every test has. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly clientFolder?: string;
  /** Gets the lines that a start prints in the terminal. */
  readonly log?: (line: string) => void;
  /** Gets the lines of the structured logs. */
  readonly logTo?: { write(line: string): void };
  /** Reachable at its `PUBLIC_URL`, as clients of OpenID Connect demand. */
  readonly atPublicUrl?: boolean;
  /** Another application's database, for two processes on one installation. */
  readonly database?: TestDatabase;
}

/**
 * The tables after all migrations, so that an application that starts there has nothing to do. Its name depends on the
 * migrations.
 */
const TODAYS_SCHEMA: Template = {
  name: `nova_schema_${createHash('sha256').update(stepsOf(SCHEMA)).digest('hex').slice(0, 12)}`,
  fill: (url) => migrate(url, SCHEMA),
};

function stepsOf({ areas }: typeof SCHEMA): string {
  const steps = areas.flatMap(({ area, order, migrations }) =>
    migrations.map(({ name, sql, code }) => [area, order, name, sql, String(code)]),
  );
  return JSON.stringify(steps);
}

export async function startTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const database = options.database ?? (await createTestDatabase('api', TODAYS_SCHEMA));
  const dataDir = mkdtempSync(path.join(tmpdir(), 'nova-test-'));
  const port = options.atPublicUrl ? await freePort() : 0;
  const config = loadConfig({
    NOVA_DATA_DIR: dataDir,
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'fatal',
    DATABASE_URL: database.url,
    DEMO_DATA: 'false',
    ...(options.atPublicUrl ? { PUBLIC_URL: `http://127.0.0.1:${port}` } : {}),
    ...options.environment,
  });
  lendSigningKeys(config.dataDir);
  const nova = await createApp({
    config,
    databaseUrl: database.url,
    ...(options.log ? { log: options.log } : {}),
    ...(options.logTo ? { logTo: options.logTo } : {}),
    ...(options.clientFolder === undefined ? {} : { clientFolder: options.clientFolder }),
  });
  keepSigningKeys(config.dataDir);
  await nova.app.listen(port, '127.0.0.1');
  const url = (await nova.app.getUrl()).replace('[::1]', 'localhost');
  const browser = (): TestBrowser => new TestBrowser(url);
  return {
    url,
    database,
    nova,
    browser,
    member: (given) => registerMember(browser(), given),
    async close() {
      await nova.close();
      if (!options.database) await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

let membersMade = 0;

/** A registration that is right in every field. */
export function registrationBody(given: Partial<RegistrationBody> = {}): RegistrationBody {
  membersMade += 1;
  return {
    displayName: `Member ${membersMade}`,
    email: `member-${membersMade}-${process.pid}@example.com`,
    password: GOOD_PASSWORD,
    pin: GOOD_PIN,
    tcConsent: true,
    tcVersion: '1.0',
    ...given,
  };
}

/** A new member in this browser. */
export async function registerMember(browser: TestBrowser, given: Partial<RegistrationBody> = {}): Promise<TestMember> {
  const body = registrationBody(given);
  const answer = await browser.post('/api/auth/register', body);
  if (answer.status !== 201) throw new Error(`registering failed: ${answer.status} ${JSON.stringify(answer.body)}`);
  const { user } = answer.body as { user: { id: string } };
  return { ...body, id: user.id, browser };
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, else the text. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export interface TestRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is text or bytes: those go as they are. */
  readonly body?: unknown;
}

/** Speaks HTTP over a real connection and keeps cookies as a browser does. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();

  constructor(private readonly url: string) {}

  get(target: string, headers?: Record<string, string>): Promise<TestAnswer> {
    return this.send('GET', target, headers ? { headers } : {});
  }

  post(target: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer> {
    return this.send('POST', target, { body, ...(headers ? { headers } : {}) });
  }

  delete(target: string, body?: unknown): Promise<TestAnswer> {
    return this.send('DELETE', target, { body });
  }

  /** The answer's bytes as they are: for files. */
  bytes(target: string): Promise<Omit<TestAnswer, 'body'> & { readonly bytes: Uint8Array }> {
    return this.fetch('GET', target);
  }

  async send(method: string, target: string, request: TestRequest = {}): Promise<TestAnswer> {
    const { status, headers, bytes } = await this.fetch(method, target, request);
    return { status, headers, body: parsed(new TextDecoder().decode(bytes)) };
  }

  private async fetch(method: string, target: string, { headers, body }: TestRequest = {}) {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(new URL(target, this.url), {
      method,
      redirect: 'manual',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(this.cookies.size > 0 ? { cookie: this.cookie } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
    });
    this.keepCookies(response.headers.getSetCookie());
    return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
  }

  /** The header with which it sends them. */
  get cookie(): string {
    return stringifyCookie(Object.fromEntries(this.cookies), { encode: (value) => value });
  }

  private keepCookies(lines: readonly string[]): void {
    for (const line of lines) {
      const { name, value, maxAge } = parseSetCookie(line, { decode: (text) => text });
      if (!value || maxAge === 0) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
