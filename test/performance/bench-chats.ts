import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import pg from 'pg';
import { ADMIN, freePort, post, ready, register, startApi } from './bench-http.js';
import { makeMembers } from './bench-members.js';
import type { ChatLoadNotice, ChatLoadOrder, ChatLoadResult, LoadChat } from './chat-load.js';
import { percentile, type Figure } from './report.js';
import type { Surroundings } from './surroundings.js';

const CHATS = 1_000;
const EVERY_MS = 2_000;
const WARM_UP_SECONDS = 3;
const REQUESTS_AT_ONCE = 16;
/** Read models that a message changes. */
const MODELS = ['chats', 'member_chats'];

/** The product's live connection under load: two sockets a chat, each chat with a message every two seconds. */
export async function benchChats(surroundings: Surroundings, seconds: number, chats = CHATS): Promise<Figure[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'nova-bench-chats-'));
  const port = await freePort();
  const url = await surroundings.database();
  const api = startApi(port, url, dataDir);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  try {
    await ready(port, api);
    const order: ChatLoadOrder = {
      port,
      chats: await openChats(port, pool, chats),
      warmUpSeconds: WARM_UP_SECONDS,
      seconds,
      everyMs: EVERY_MS,
      reconnects: chats,
    };
    const watch = new Watch(pool, api.pid ?? 0);
    const result = await runLoad(order, watch);
    if (result.failures.length > 0) throw new Error(`the live connection failed: ${result.failures.join('\n')}`);
    return figuresOf(result, watch, chats);
  } finally {
    await pool.end();
    api.kill('SIGTERM');
    await once(api, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  }
}

function figuresOf(
  { perSecond, latenciesMs, sent, lost, doubled }: ChatLoadResult,
  watch: Watch,
  chats: number,
): Figure[] {
  const group = `${chats.toLocaleString('en')} chats at once`;
  const reconnects = `${chats.toLocaleString('en')} forced reconnects`;
  const none = { at: '<=', value: 0 } as const;
  return [
    { group, name: 'messages delivered', value: perSecond, unit: '/s' },
    { group, name: 'delivery p50', value: percentile(latenciesMs, 50), unit: 'ms' },
    {
      group,
      name: 'delivery p99',
      value: percentile(latenciesMs, 99),
      unit: 'ms',
      goal: { at: '<=', value: 150 },
    },
    { group, name: 'memory of the server', value: watch.memoryMb, unit: 'MB', goal: { at: '<=', value: 600 } },
    { group, name: 'events that read models were behind at most', value: watch.behind, unit: '' },
    { group: reconnects, name: `lost of ${sent.toLocaleString('en')} messages`, value: lost, unit: '', goal: none },
    { group: reconnects, name: 'doubled', value: doubled, unit: '', goal: none },
  ];
}

/** Opens chats through the product's own calls. */
async function openChats(port: number, pool: pg.Pool, count: number): Promise<LoadChat[]> {
  const admin = await register(port, ADMIN);
  const [initiators, hosts] = [await makeMembers(pool, count), await makeMembers(pool, count)];
  const pairs = initiators.map((initiator, n) => ({ initiator, host: hosts[n] ?? initiator }));
  return pLimit(REQUESTS_AT_ONCE).map(pairs, async ({ initiator, host }): Promise<LoadChat> => {
    await post(port, `/api/admin/users/${initiator.id}/add-nova`, { amount: 10_000 }, admin.cookie);
    const response = await post(port, '/api/chats/initiate', { hostId: host.id }, initiator.cookie);
    const { chatId } = (await response.json()) as { chatId: string };
    await post(port, `/api/chats/accept-request/${chatId}`, undefined, host.cookie);
    // The host's first message is due within minutes.
    await post(port, `/api/chats/${chatId}/messages`, { message: 'Hello' }, host.cookie);
    return { chatId, cookies: [initiator.cookie, host.cookie] };
  });
}

async function runLoad(order: ChatLoadOrder, watch: Watch): Promise<ChatLoadResult> {
  const worker = new Worker(new URL('./chat-load.js', import.meta.url), { workerData: order });
  return new Promise((resolve, reject) => {
    worker.on('error', reject);
    worker.on('message', (notice: ChatLoadNotice) => {
      if (notice === 'measuring') watch.start();
      else if (notice === 'measured') void watch.stop();
      else void watch.stop().then(() => resolve(notice));
    });
  });
}

const BEHIND = `
  select count(*)::int as behind from journal.events
  where position > (select min(position) from read.checkpoint where name = any($1))`;

/** Samples the server's usage and the lag of its read models every half second. */
class Watch {
  memoryMb = 0;
  behind = 0;
  private isOn = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly pool: pg.Pool,
    private readonly pid: number,
  ) {}

  start(): void {
    this.isOn = true;
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.isOn = false;
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.isOn) {
      const kilobytes = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(this.pid)], { encoding: 'utf8' }));
      this.memoryMb = Math.max(this.memoryMb, kilobytes / 1024);
      const { rows } = await this.pool.query<{ behind: number }>(BEHIND, [MODELS]);
      this.behind = Math.max(this.behind, rows[0]?.behind ?? 0);
      await pause(500);
    }
  }
}
