import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { registrationBody, TestBrowser, type TestMember } from '../support/api.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { Product } from '../support/product.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const ADMIN_EMAIL = 'root@example.com';
/**
 * One process of an installation follows the chats (`ChatProcess`), one what members are told of (`NoticeProcess`), one what
 * applications are told of (`WebhookProcess`), and one sends that (`WebhookSender`).
 */
const PROCESS_LOCKS = {
  chats: 7_266_182_010,
  notices: 7_266_182_020,
  webhooks: 7_266_182_021,
  webhookSender: 7_266_182_022,
} as const;

export interface ServersOptions {
  readonly count: number;
  readonly eventStoreUrl?: string;
}

/** Several processes of the built product on one database, each with its own connection that a test may disturb. */
export class Servers {
  private constructor(
    readonly database: TestDatabase,
    readonly products: readonly Product[],
    readonly lines: readonly TcpProxy[],
    private readonly dataDir: string,
  ) {}

  /** The first is ready before the others start: it owns what one process owns. */
  static async start({ count, eventStoreUrl }: ServersOptions): Promise<Servers> {
    const database = await createTestDatabase('servers');
    const dataDir = await mkdtemp(path.join(tmpdir(), 'nova-servers-'));
    const products: Product[] = [];
    const lines: TcpProxy[] = [];
    for (let number = 0; number < count; number += 1) {
      const { proxy, url } = await TcpProxy.toUrl(database.url);
      lines.push(proxy);
      const env = {
        DATABASE_URL: url,
        ADMIN_EMAIL,
        ...(eventStoreUrl === undefined ? {} : { EVENTSTORE_URL: eventStoreUrl }),
      };
      products.push(await Product.start({ dataDir, name: `api-${number}`, env }));
    }
    return new Servers(database, products, lines, dataDir);
  }

  get urls(): string[] {
    return this.products.map(({ url }) => url);
  }

  get pool(): pg.Pool {
    return this.database.pool;
  }

  /** A new member, who registers at one of the servers. */
  async member(number = 0, given: { readonly email?: string } = {}): Promise<TestMember> {
    const browser = new TestBrowser(this.urls[number % this.urls.length] ?? '');
    const body = registrationBody(given);
    const answer = await browser.post('/api/auth/register', body);
    if (answer.status !== 201) throw new Error(`registering failed: ${answer.status} ${JSON.stringify(answer.body)}`);
    return { ...body, id: (answer.body as { user: { id: string } }).user.id, browser };
  }

  admin(): Promise<TestMember> {
    return this.member(0, { email: ADMIN_EMAIL });
  }

  /** Which server owns the read models. */
  async readModelOwner(): Promise<number> {
    const { rows } = await this.pool.query<{ owner: string | null }>(
      `select owner from read.checkpoint where name = 'balances' and lease_until > clock_timestamp()`,
    );
    return this.products.findIndex(({ pid }) => rows[0]?.owner?.split('/')[1] === String(pid));
  }

  /** Which server follows these. */
  async follower(what: keyof typeof PROCESS_LOCKS): Promise<number> {
    const { rows } = await this.pool.query<{ client_port: number }>(
      `select a.client_port from pg_locks l join pg_stat_activity a using (pid)
       where l.locktype = 'advisory' and l.granted and a.datname = current_database()
         and (l.classid::bigint << 32) | l.objid::bigint = $1`,
      [PROCESS_LOCKS[what]],
    );
    return this.lines.findIndex(({ serverSidePorts }) => serverSidePorts.has(rows[0]?.client_port ?? -1));
  }

  async stop(): Promise<void> {
    for (const line of this.lines) line.heal();
    for (const product of this.products) product.thawApi();
    await Promise.all(this.products.map((product) => product.stop()));
    await Promise.all(this.lines.map((line) => line.close()));
    await this.database.drop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
