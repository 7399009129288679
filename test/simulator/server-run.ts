import { Logger } from '@nestjs/common';
import { type ChatCommand, MINOR_UNITS } from '@app/domain';
import type { CommandRequest } from '@app/ledger';
import { v4 } from 'uuid';
import { Faults, MOST_OF_SERVERS } from './faults.js';
import { rememberRegistered } from './registries.js';
import { judgeRestored } from './restore-judge.js';
import { judgeServers } from './server-judge.js';
import type { SimulatedDatabase } from './simulated-database.js';
import { SimulatedProvider } from './simulated-provider.js';
import { SimulatedServer } from './simulated-server.js';
import { SimulatedSnapshots } from './simulated-snapshots.js';
import { SimulatedStore } from './simulated-store.js';
import { strikeLater, strikeServer, strikeStore } from './trouble.js';
import { World } from './world.js';
import type { RunOptions, RunResult } from './writer-run.js';

const ACTS = 30;
const SERVERS = 2;
const MEMBERS = 6;
const CLIENTS = 4;
const BEGUN_AT_MS = Date.UTC(2026, 0, 15, 12);
const SKEW_MS_MAX = 200;
const RESTART_MS_MAX = 3_000;
const TROUBLE_EVERY_MS_MAX = 2_000;
/** A round of every sweeper, and its effects. */
const PEACE_MS = 18_000;
const LATE_MS = 5_000;
const RUN_MS_MAX = 600_000;
const TIMEOUT_MS = 5_000;
const GRANT = 100_000n * MINOR_UNITS.NOVA;
const MESSAGES_MAX = 14;
const DELETED_MAX = 2;
/** The share of read models that a release has in another form. */
const CHANGED_MODELS = 0.3;
const LEAPS_MS = [70_000, 130_000, 200_000];
/** After this payments that nobody told of are looked at, and requests have run out. */
const PEACE_LEAP_MS = 200_000;
/** After this chats are idle, or their ratings closed. */
const LATE_LEAPS_MS = [0, 25 * 3_600_000, 8 * 86_400_000];
const WEBHOOK_LATE_MS_MAX = 10_000;
/** Members repeat what was not answered for minutes. */
const ATTEMPTS_MAX = 300;
const ADMIN_ATTEMPTS_MAX = 20;
const UUID_BYTES = 16;

export const ACTS_IN_A_RUN = ACTS;

export interface ServerRunOptions extends RunOptions {
  readonly database: SimulatedDatabase;
}

/**
 * One seed: whole servers on one store, one database and one provider of payments, members who use them, and faults. Then the
 * books, the read models and the provider are judged.
 * @throws Error what is wrong, the same for the same seed
 */
export async function simulateServers(options: ServerRunOptions): Promise<RunResult> {
  const forget = rememberRegistered();
  const run = new ServerRun(options);
  try {
    return await run.run();
  } finally {
    run.world.end();
    forget();
  }
}

class ServerRun {
  readonly world: World;
  private readonly faults: Faults;
  private readonly store = new SimulatedStore();
  private readonly provider: SimulatedProvider;
  private readonly snapshots: SimulatedSnapshots;
  private readonly servers: SimulatedServer[] = [];
  private readonly members: readonly string[];
  private readonly isOneClock: boolean;
  private wallMs = BEGUN_AT_MS;
  private next = 0;
  private isOver = false;
  private isRestored = false;
  /** What the newest release changes. */
  private changedModels: ReadonlySet<string> = new Set();
  private readonly deletedAtMs = new Map<string, number>();
  private failure: unknown;

  constructor(private readonly options: ServerRunOptions) {
    this.world = new World(options.seed);
    const { random } = this.world;
    this.faults = new Faults(random, options.without, MOST_OF_SERVERS);
    this.provider = new SimulatedProvider(this.world, this.faults, () => Math.floor(this.wallMs + this.world.nowMs));
    this.snapshots = new SimulatedSnapshots(this.world, this.faults);
    this.isOneClock = random.chance(0.5);
    const bytes = () => Uint8Array.from({ length: UUID_BYTES }, () => random.below(256));
    this.members = Array.from({ length: MEMBERS }, () => v4({ random: bytes() }));
  }

  async run(): Promise<RunResult> {
    Logger.overrideLogger(false);
    const { world, faults, store } = this;
    const { database } = this.options;
    await database.reset(world, () => Math.floor(this.wallMs + world.nowMs));
    for (const [n, id] of this.members.entries()) {
      await database.query(
        `insert into accounts (id, email, email_key, display_name, name_key, password_hash, pin_hash, tc_version, tc_accepted_at)
         values ($1, $2, $2, $3, $3, '', '', '1', now())`,
        [id, `member-${n}@example.org`, `member ${n}`],
      );
    }
    for (let slot = 0; slot < SERVERS; slot++) void this.boot(slot);
    this.everything().then(
      () => (this.isOver = true),
      (error: unknown) => (this.failure ??= error),
    );
    strikeLater(world, TROUBLE_EVERY_MS_MAX, { isOver: () => this.isOver, strike: () => this.trouble() });
    await world.run(() => this.isOver || this.failure !== undefined, RUN_MS_MAX);
    if (this.failure === undefined) await this.peace();
    if (this.failure !== undefined) throw this.failure;
    const { servers, provider, deletedAtMs } = this;
    await judgeServers({ world, store, servers, provider, deletedAtMs });
    this.isRestored = true;
    for (const { process } of servers) process.kill();
    await judgeRestored({
      world,
      store,
      database,
      options: this.options,
      boot: (restored) => this.serverOn(restored),
      leap: () => (this.wallMs += PEACE_LEAP_MS),
      wallMs: () => Math.floor(this.wallMs + world.nowMs),
    });
    if (this.failure !== undefined) throw this.failure;
    const events = store.appends;
    const { trace, steps, nowMs: simulatedMs } = world;
    return { trace, steps, simulatedMs, events, faults: faults.happened };
  }

  /** Nothing goes wrong any more: everybody starts, and hears of everything. */
  private async peace(): Promise<void> {
    this.faults.end();
    this.store.isDown = false;
    for (const { link } of this.servers) link.isCut = false;
    for (const server of this.servers) this.upgrade(server);
    this.wallMs += PEACE_LEAP_MS;
    await this.pass(PEACE_MS);
    this.wallMs += this.world.random.pick(LATE_LEAPS_MS);
    await this.pass(LATE_MS);
  }

  private async pass(ms: number): Promise<void> {
    const until = this.world.nowMs + ms;
    await this.world.run(() => this.world.nowMs > until || this.failure !== undefined, until + RUN_MS_MAX);
  }

  private async boot(slot: number): Promise<void> {
    const { world } = this;
    const { random } = world;
    const server = this.serverOn(this.store);
    this.servers[slot] = server;
    server.process.onDeath(() => {
      if (!this.isRestored) world.after(random.next() * RESTART_MS_MAX, () => void this.boot(slot));
    });
    // A start during which the store is away fails, and the process is started again.
    await server.start().catch(() => server.process.kill());
  }

  private serverOn(store: SimulatedStore): SimulatedServer {
    const { world, faults, provider, snapshots } = this;
    const skewMs = this.isOneClock ? 0 : world.random.below(2 * SKEW_MS_MAX) - SKEW_MS_MAX;
    return new SimulatedServer({
      ...this.options,
      world,
      faults,
      store,
      provider,
      snapshots,
      changedModels: this.changedModels,
      wallMs: () => Math.floor(this.wallMs + world.nowMs + skewMs),
      onFatal: (error) => (this.failure ??= error),
    });
  }

  /** A server of the release before is replaced by one of the newest. */
  private upgrade({ changedModels, process }: SimulatedServer): void {
    if (changedModels !== this.changedModels) process.kill();
  }

  private async everything(): Promise<void> {
    for (const [n, userId] of this.members.entries()) {
      await this.command(`grant-${n}`, { type: 'GrantNova', userId, adminId: 'admin', amount: GRANT });
    }
    await Promise.all(Array.from({ length: CLIENTS }, () => this.someActs()));
  }

  private async someActs(): Promise<void> {
    const { random } = this.world;
    for (let n = this.next++; n < ACTS; n = this.next++) {
      await this.world.sleep(random.next() * 200);
      await this.act(n);
    }
  }

  private act(n: number): Promise<unknown> {
    const { random } = this.world;
    const kind = random.next();
    if (random.chance(0.1)) this.wallMs += random.pick(LEAPS_MS);
    const isLeftOut = this.options.commands?.has(n) === false;
    if (isLeftOut) return Promise.resolve();
    if (kind < 0.25) return this.gift(n);
    if (kind < 0.55) return this.purchase(n);
    if (kind < 0.6) return this.reconciliation();
    if (kind < 0.95 || this.deletedAtMs.size >= DELETED_MAX) return this.chat(n);
    return this.deletion(n);
  }

  private gift(n: number): Promise<unknown> {
    const { random } = this.world;
    const [senderId, recipientId] = [random.pick(this.members), random.pick(this.members)];
    const amount = BigInt(1 + random.below(20)) * 10_000n;
    return this.command(`gift-${n}`, { type: 'SendGift', senderId, recipientId, amount, via: undefined });
  }

  private async purchase(n: number): Promise<void> {
    const { world, provider } = this;
    const { random } = world;
    const intentId = await this.intent(n, random.pick(this.members));
    if (intentId === undefined || random.chance(0.15)) return;
    await world.sleep(random.next() * 500);
    provider.pay(intentId);
    await this.told(intentId);
    const fate = random.next();
    if (fate < 0.5) return;
    await world.sleep(random.next() * 2_000);
    if (fate < 0.8) {
      provider.refund(intentId, random.chance(0.5) ? Infinity : 1 + random.below(500));
      // Never lost: the reconciliation would only flag the refund, and corrects nothing.
      this.webhook(() => this.settle(intentId));
    }
    if (fate > 0.7) await this.dispute(intentId);
  }

  /** Of each change the provider tells; some disputes stay open. */
  private async dispute(intentId: string): Promise<void> {
    const { world, provider, faults } = this;
    const dispute = provider.dispute(intentId);
    if (dispute === undefined) return;
    const tell = (): void => {
      const settle = () => this.ask(({ parts }) => parts.purchases.settleDispute(dispute.id, undefined));
      this.webhook(settle, 'dispute');
      if (faults.strikes('doubled webhook', 'dispute')) this.webhook(settle, 'dispute');
    };
    tell();
    await world.sleep(world.random.next() * 3_000);
    if (world.random.chance(0.2)) return;
    provider.decide(dispute, world.random.pick(['won', 'lost'] as const));
    tell();
  }

  private async intent(n: number, userId: string): Promise<string | undefined> {
    const wholeNova = 1_000 + this.world.random.below(50) * 7;
    const call = { idempotencyKey: `purchase-${n}`, requestId: `purchase-${n}` };
    const made = await this.ask(({ parts }) => parts.createIntent.execute({ userId, wholeNova, call } as never));
    return made?.paymentIntentId;
  }

  /** Of a payment the provider tells, late, twice or never; the member's browser asks for it as well, or has gone. */
  private async told(intentId: string): Promise<void> {
    const { faults } = this;
    const settle = () => this.settle(intentId);
    if (!faults.strikes('lost webhook', 'payment')) this.webhook(settle);
    if (faults.strikes('doubled webhook', 'payment')) this.webhook(settle);
    if (this.world.random.chance(0.5)) await this.settle(intentId);
  }

  private webhook(settle: () => Promise<unknown>, what = 'payment'): void {
    const ms = this.world.random.next() * (this.faults.strikes('late webhook', what) ? WEBHOOK_LATE_MS_MAX : 100);
    this.world.after(ms, () => void settle());
  }

  private settle(intentId: string): Promise<unknown> {
    return this.ask(({ parts }) => parts.purchases.settle(intentId, undefined));
  }

  /**
   * An admin has the provider's books compared with the journal; one run at a time. A run asks so much that some fault
   * may end every one, and the admin gives up.
   */
  private async reconciliation(): Promise<void> {
    const begin = async ({ parts }: SimulatedServer) =>
      parts.reconciling.begin('admin', await parts.reconciling.windowOf({}));
    await this.ask(begin, ADMIN_ATTEMPTS_MAX).catch(() => undefined);
  }

  /** The member pays once more after they were told. */
  private async deletion(n: number): Promise<void> {
    const { world } = this;
    const { random } = world;
    const accountId = random.pick(this.members);
    if (this.deletedAtMs.has(accountId)) return;
    const intentId = random.chance(0.8) ? await this.intent(n, accountId) : undefined;
    const adminId = this.members[0] ?? '';
    const order = { accountId, adminId, reasonId: null, requestId: `deletion-${n}` };
    await this.ask(({ parts }) => parts.deleteAccount(order));
    this.deletedAtMs.set(accountId, world.nowMs);
    if (intentId === undefined) return;
    await world.sleep(random.next() * 50);
    this.provider.pay(intentId);
    await this.told(intentId);
  }

  private async chat(n: number): Promise<void> {
    const { world } = this;
    const { random } = world;
    const [initiator, host] = [random.pick(this.members), random.pick(this.members)];
    const draft = { hostId: host };
    const options = { memberId: initiator, draft, idempotencyKey: `chat-${n}`, requestId: undefined };
    const made = await this.ask(({ parts }) => parts.chats.initiate.execute({ options } as never));
    if (!made) return;
    const { chatId } = made;
    const run = (memberId: string, command: ChatCommand) =>
      this.ask(({ parts }) => parts.chats.commands.run(chatId, command, { memberId, requestId: undefined }));
    await world.sleep(random.next() * 500);
    const answer = random.next();
    if (answer < 0.15) return;
    if (answer < 0.25) return void (await run(host, { type: 'DeclineChat', memberId: host }));
    await run(host, { type: 'AcceptChat', memberId: host });
    const messages = random.below(MESSAGES_MAX);
    for (let m = 0; m < messages; m++) {
      const memberId = m % 2 === 0 ? host : initiator;
      const text = `Message ${m} `.repeat(6);
      const message = { memberId, chatId, text, clientMessageId: `${n}-${m}`, requestId: undefined };
      await this.ask(({ parts }) => parts.chats.messages.send(message));
    }
    const one = random.pick([host, initiator]);
    if (random.chance(0.4)) await run(one, { type: 'TerminateChat', memberId: one, cause: 'exit' });
    for (const memberId of [host, initiator]) {
      if (random.chance(0.6))
        await run(memberId, { type: 'RateChat', memberId, rating: 80, follow: random.chance(0.3) });
    }
  }

  private command(id: string, command: CommandRequest['command']): Promise<unknown> {
    const request = {
      command,
      actor: 'process',
      cause: id,
      key: { scope: 'fact', value: id },
      timeoutMs: TIMEOUT_MS,
    } as const;
    return this.ask(({ writer }) => writer.execute(request));
  }

  /** Asks some server, and again until one answers. What is refused is an answer. */
  private async ask<T>(
    call: (server: SimulatedServer) => Promise<T>,
    attemptsMax = ATTEMPTS_MAX,
  ): Promise<T | undefined> {
    const { world } = this;
    let last: unknown;
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const server = world.random.pick(this.servers);
      const answer = await new Promise<Asked<T>>((resolve) => {
        if (!server.isReady || server.process.isDead) {
          world.after(5, () => resolve({ done: false }));
          return;
        }
        server.process.onDeath(() => world.after(world.random.next() * 50, () => resolve({ done: false })));
        call(server).then(
          (value) => resolve({ done: true, value }),
          (error: unknown) => {
            const { name, statusCode } = error as { readonly name: string; readonly statusCode?: number };
            // It kept the books sound, and is a fault all the same.
            if (name === 'LedgerInvariantError') this.failure ??= error;
            resolve({ done: statusCode !== undefined && statusCode < 500, error });
          },
        );
      });
      if (answer.done) return answer.value;
      last = answer.error ?? last;
      await world.sleep(20 + world.random.next() * 300);
    }
    throw new Error('a member was never answered', { cause: last });
  }

  /** What a release changes: at least one read model. */
  private someModels({ models }: SimulatedServer): ReadonlySet<string> {
    const { random } = this.world;
    const some = models.filter(() => random.chance(CHANGED_MODELS)).map(({ name }) => name);
    return new Set(some.length === 0 ? [random.pick(models).name] : some);
  }

  private trouble(): void {
    const { world, faults, store } = this;
    const { random } = world;
    const server = random.pick(this.servers);
    const part = server.isReady ? 'server' : 'start';
    strikeServer(server, part, { world, faults });
    strikeStore(store, part, { world, faults });
    if (random.chance(0.1)) void this.snapshots.take(store);
    const isNewest = this.changedModels.size > 0 && server.changedModels === this.changedModels;
    if (isNewest || !faults.strikes('rolling upgrade', part)) return;
    if (this.changedModels.size === 0) this.changedModels = this.someModels(server);
    this.upgrade(server);
  }
}

interface Asked<T> {
  readonly done: boolean;
  readonly value?: T;
  readonly error?: unknown;
}
