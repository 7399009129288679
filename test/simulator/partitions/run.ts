import { type LedgerCommand, LEDGER_STREAM } from '@app/domain';
import {
  type CommandOutcome,
  type CommandRequest,
  type JournalEvent,
  journalEventOf,
  type LedgerWriter,
} from '@app/ledger';
import { FAULTS, Faults } from '../faults.js';
import { type Answer, EXPECTED_ERRORS } from '../judge.js';
import { Link } from '../link.js';
import type { Load } from '../loader.js';
import { SimulatedProcess } from '../simulated-process.js';
import { SimulatedStore } from '../simulated-store.js';
import { cutOffMs, strikeLater, strikeServer, strikeStore } from '../trouble.js';
import { Turns } from '../turns.js';
import { World } from '../world.js';
import { Carrier, type Verdict } from './carrier.js';
import { judgePartitions, judgeTransit } from './judge.js';
import { commandOf, type SentAcross } from './transit.js';

const PARTITIONS = [0, 1, 2] as const;
const SERVERS = 2;
const MEMBERS = 4;
const CLIENTS = 2;
const STEPS = 16;
const BEGUN_AT_MS = Date.UTC(2026, 0, 15, 12);
const SKEW_MS_MAX = 200;
const GRANTED = 2_000_000n;
const GIFT_LEAST = 100_000;
const AMOUNT_MAX = 1_200_000;
const THINK_MS_MAX = 300;
const ACROSS = 0.5;
const CLOSES = 0.04;
const CALL_MS = 1_500;
const SLOW_MS_MAX = 1_500;
const DOUBLED_AFTER = 100;
const TIMEOUT_MS = 5_000;
/** Of the occasions for a crash that the end of a transfer is. */
const DIES_AT_AN_END = 0.2;
const RESTART_MS_MAX = 3_000;
const TROUBLE_EVERY_MS_MAX = 1_500;
const LOST_MS_MAX = 6_000;
const LOST_IN = 0.5;
/** How often somebody looks whether a partition has a carrier. */
const WATCH_MS = 200;
/** Where nothing but a partition is lost, nobody else waits longer. */
const UNDISTURBED_MS_MAX = 500;
const PEACE_MS = 12_000;
const RUN_MS_MAX = 3_600_000;
/** Of so many seeds one has no fault but a partition that is lost. */
const ONE_LOST_EVERY = 4;

export interface RunOptions {
  readonly root: string;
  /** Loads what simulated processes share, with the movement across. */
  readonly load: Load;
  readonly seed: number;
}

/** What a member waited for, in simulated milliseconds. */
export interface Wait {
  readonly what: 'gift within' | 'sent across' | 'arrived across' | 'given back';
  readonly ms: number;
}

/** What was asked while a partition was lost. */
export interface WhileLost {
  readonly what: string;
  readonly isDone: boolean;
}

export interface RunResult {
  /** Equal for equal runs. */
  readonly trace: number;
  readonly steps: number;
  readonly simulatedMs: number;
  readonly events: number;
  readonly arrived: number;
  readonly givenBack: number;
  readonly faults: ReadonlyMap<string, number>;
  /** Whether nothing went wrong but that a partition was lost. */
  readonly isCalm: boolean;
  readonly waits: readonly Wait[];
  readonly whileLost: readonly WhileLost[];
}

interface Server {
  readonly process: SimulatedProcess;
  readonly link: Link;
  readonly writer: LedgerWriter;
  isReady: boolean;
  carrier: Carrier | undefined;
}

interface Partition {
  readonly number: number;
  readonly store: SimulatedStore;
  readonly turns: Turns;
  readonly servers: Server[];
  readonly answers: Answer[];
  /** Who carries; while it cannot be reached, another takes over beside it. */
  carrying: Server | undefined;
  isLost: boolean;
}

/** Who asks: a member, or the process that carries for a partition. */
interface Caller {
  readonly partition: number;
  readonly process?: SimulatedProcess;
}

/** What a member asked for, and when it was done. */
interface Asked {
  what: Wait['what'];
  readonly from: number;
  readonly to: number;
  readonly atMs: number;
  doneMs: number | undefined;
}

/**
 * One seed: three partitions, each with a journal and two servers of its own, members who give within and across, carriers, and
 * faults. Then the books are judged, each by itself and all together.
 * @throws Error what is wrong, the same for the same seed
 */
export const simulatePartitions = (options: RunOptions): Promise<RunResult> => new PartitionsRun(options).run();

class PartitionsRun {
  private readonly world: World;
  private readonly faults: Faults;
  private readonly isCalm: boolean;
  private readonly partitions: readonly Partition[];
  private readonly asked: Asked[] = [];
  private readonly transfers = new Map<string, Asked>();
  private readonly told = new Map<string, Verdict>();
  /** Pairs of partitions between which nothing gets through. */
  private readonly cut = new Set<string>();
  private lost: { readonly partition: number; readonly fromMs: number; untilMs: number } | undefined;
  private isOver = false;
  private isPeace = false;
  private failure: unknown;
  private given = 0;

  constructor(private readonly options: RunOptions) {
    this.world = new World(options.seed);
    this.isCalm = options.seed % ONE_LOST_EVERY === 0;
    this.faults = new Faults(this.world.random, this.isCalm ? new Set(FAULTS) : undefined);
    this.partitions = PARTITIONS.map((number) => ({
      number,
      store: new SimulatedStore(),
      turns: new Turns(this.world),
      servers: [],
      answers: [],
      carrying: undefined,
      isLost: false,
    }));
  }

  async run(): Promise<RunResult> {
    const { world, faults, partitions } = this;
    for (const partition of partitions) {
      for (let slot = 0; slot < SERVERS; slot++) void this.boot(partition, slot);
    }
    this.watchLater();
    this.everyStep().then(
      () => (this.isOver = true),
      (error: unknown) => (this.failure ??= error),
    );
    await world.run(() => this.isOver || this.failure !== undefined, RUN_MS_MAX);
    if (this.failure === undefined) await this.peace();
    if (this.failure !== undefined) throw this.failure;
    const { arrived, givenBack, events } = await judgePartitions(partitions, this.told);
    if (this.isCalm) this.judgeTheLost();
    const { trace, steps, nowMs: simulatedMs } = world;
    return {
      trace,
      steps,
      simulatedMs,
      events,
      arrived,
      givenBack,
      faults: faults.happened,
      isCalm: this.isCalm,
      waits: this.waits(),
      whileLost: this.whileLost(),
    };
  }

  /** Nothing goes wrong any more: what is on its way arrives. */
  private async peace(): Promise<void> {
    this.isPeace = true;
    this.faults.end();
    this.cut.clear();
    for (const partition of this.partitions) {
      this.isBack(partition);
      for (const { link } of partition.servers) link.isCut = false;
    }
    const until = this.world.nowMs + PEACE_MS;
    await this.world.run(() => this.world.nowMs > until || this.failure !== undefined, until + RUN_MS_MAX);
  }

  private async boot(partition: Partition, slot: number): Promise<void> {
    const { world, faults } = this;
    const { store } = partition;
    const skewMs = world.random.below(2 * SKEW_MS_MAX) - SKEW_MS_MAX;
    const wallMs = (): number => Math.floor(BEGUN_AT_MS + world.nowMs + skewMs);
    const process = new SimulatedProcess({ ...this.options, world, wallMs });
    const link = new Link({ world, process, faults, store });
    const ledger = process.load('libs/ledger/src/index.ts') as typeof import('@app/ledger');
    const writer = new ledger.LedgerWriter({
      store: link,
      keyIndex: { find: () => Promise.reject(new Error('a run is shorter than the window of keys')) },
      clock: { now: wallMs, ready: true },
      turn: partition.turns.of(process),
      onFatal: (error) => {
        this.failure ??= error;
        process.kill();
      },
    });
    const server: Server = { process, link, writer, isReady: false, carrier: undefined };
    partition.servers[slot] = server;
    writer.listen({ onEvents: (events) => this.spread(partition, server, events) });
    process.onDeath(() => this.bootLater(partition, slot));
    try {
      await writer.start();
      server.isReady = true;
      this.watch(partition);
    } catch {
      process.kill();
    }
  }

  /** Once its partition is there. */
  private bootLater(partition: Partition, slot: number): void {
    this.world.after(this.world.random.next() * RESTART_MS_MAX, () => {
      if (partition.isLost) this.bootLater(partition, slot);
      else void this.boot(partition, slot);
    });
  }

  // ---- carrying -----------------------------------------------------------------------------------------------------

  private watchLater(): void {
    this.world.after(WATCH_MS, () => {
      for (const partition of this.partitions) this.watch(partition);
      this.watchLater();
    });
  }

  /** One server of a partition carries, by a lock that ends with its connection, though the server may still work. */
  private watch(partition: Partition): void {
    const { carrying, servers } = partition;
    if (carrying && !carrying.process.isDead && !carrying.link.isCut) return;
    const able = servers.filter(({ isReady, process, link }) => isReady && !process.isDead && !link.isCut);
    if (able.length === 0) return;
    const server = this.world.random.pick(able);
    partition.carrying = server;
    server.carrier ??= this.carrierOf(partition, server);
  }

  private carrierOf(partition: Partition, { process, link, writer }: Server): Carrier {
    const { world } = this;
    const carrier = new Carrier({
      partition: partition.number,
      read: (from) => eventsOf(link, from),
      give: (to, request) =>
        to === partition.number
          ? this.executeAndMayDie(process, writer, request)
          : this.call({ partition: partition.number, process }, to, request).then((answer) => answer?.outcome),
      pause: (ms) => new Promise((resolve) => world.after(ms, resolve, process)),
      tell: (sent, verdict) => void this.tell(sent, verdict),
      onFatal: (error) => (this.failure ??= error),
    });
    carrier.wake();
    return carrier;
  }

  /** A carrier hears of what its own server learns, and is woken by the store for what others wrote. */
  private spread({ servers }: Partition, server: Server, events: readonly JournalEvent[]): void {
    server.carrier?.hear(events);
    for (const other of servers) {
      if (other === server || !other.carrier || this.faults.strikes('lost request', 'waking a carrier')) continue;
      this.world.after(this.delay('waking a carrier'), () => other.carrier?.wake(), other.process);
    }
  }

  /** A member learns how a transfer ended, maybe again. What they learn is durable, and stays as it is. */
  private async tell({ transferId, to, senderId }: SentAcross, verdict: Verdict): Promise<void> {
    const before = this.told.get(transferId);
    this.told.set(transferId, verdict);
    if (before === verdict) return;
    if (before) this.failure ??= new Error(`${transferId} was told to have ${before}, then ${verdict}`);
    const asked = this.transfers.get(transferId);
    if (asked) {
      asked.doneMs = this.world.nowMs + this.delay('member');
      if (verdict === 'given back') asked.what = 'given back';
    }
    const type = verdict === 'arrived' ? 'ReceivedAcross' : 'GivenBackAcross';
    const where = this.partitions[verdict === 'arrived' ? to : partitionOf(senderId)];
    const events = (await where?.store.recorded()) ?? [];
    const isDurable = events.some((event) => event.type === type && event.data.includes(`"${transferId}"`));
    if (!isDurable) this.failure ??= new Error(`${transferId} was told to be ${verdict} before it was durable`);
  }

  // ---- members ------------------------------------------------------------------------------------------------------

  private async everyStep(): Promise<void> {
    const grants = this.partitions.map(async (partition) => {
      for (let member = 0; member < MEMBERS; member++) {
        await this.give(partition, {
          type: 'GrantNova',
          userId: memberOf(partition.number, member),
          adminId: 'admin',
          amount: GRANTED,
        });
      }
    });
    await Promise.all(grants);
    strikeLater(this.world, TROUBLE_EVERY_MS_MAX, { isOver: () => this.isOver, strike: () => void this.trouble() });
    if (this.isCalm || this.world.random.chance(LOST_IN)) this.loseLater();
    const clients = this.partitions.flatMap((partition) =>
      Array.from({ length: CLIENTS }, () => this.someSteps(partition)),
    );
    await Promise.all(clients);
  }

  private async someSteps(partition: Partition): Promise<void> {
    const { random } = this.world;
    for (let n = 0; n < STEPS; n++) {
      await this.world.sleep(random.next() * THINK_MS_MAX);
      const sender = random.below(MEMBERS - 1);
      const senderId = memberOf(partition.number, sender);
      // The last member of a partition gives nothing, and closes the account at some time.
      if (random.chance(CLOSES)) {
        await this.give(partition, { type: 'CloseAccount', userId: memberOf(partition.number, MEMBERS - 1) });
      } else if (random.chance(ACROSS)) await this.giveAcross(partition, senderId);
      else {
        const recipientId = memberOf(partition.number, (sender + 1 + random.below(MEMBERS - 1)) % MEMBERS);
        const amount = BigInt(GIFT_LEAST + random.below(AMOUNT_MAX));
        const asked = this.ask('gift within', partition.number, partition.number);
        await this.give(partition, { type: 'SendGift', senderId, recipientId, amount });
        asked.doneMs = this.world.nowMs;
      }
    }
  }

  private async giveAcross({ number, ...partition }: Partition, senderId: string): Promise<void> {
    const { random } = this.world;
    const to = (number + 1 + random.below(PARTITIONS.length - 1)) % PARTITIONS.length;
    const transferId = `transfer-${this.given++}`;
    const amount = BigInt(1 + random.below(AMOUNT_MAX));
    const recipientId = memberOf(to, random.below(MEMBERS));
    const command = commandOf({ type: 'SendAcross', transferId, senderId, recipientId, to, amount });
    const sent = this.ask('sent across', number, to);
    const arrived: Asked = { ...sent, what: 'arrived across' };
    this.transfers.set(transferId, arrived);
    const outcome = await this.give({ number, ...partition }, command, transferId);
    sent.doneMs = this.world.nowMs;
    if (outcome.status === 'accepted') this.asked.push(arrived);
  }

  private ask(what: Wait['what'], from: number, to: number): Asked {
    const asked: Asked = { what, from, to, atMs: this.world.nowMs, doneMs: undefined };
    this.asked.push(asked);
    return asked;
  }

  /** A member's client repeats with its key until it is answered. */
  private async give(
    { number, answers }: Pick<Partition, 'number' | 'answers'>,
    command: LedgerCommand,
    id = `command-${this.given++}`,
  ): Promise<CommandOutcome> {
    const { world } = this;
    const request = { command, actor: 'process', cause: id, key: { scope: 'fact', value: id }, timeoutMs: TIMEOUT_MS };
    for (;;) {
      const answer = await this.call({ partition: number }, number, request);
      if (answer) {
        answers.push({ id, command, ...answer, isKeyed: true, isVoid: false });
        return answer.outcome;
      }
      await world.sleep(20 + world.random.next() * 200);
    }
  }

  // ---- the network --------------------------------------------------------------------------------------------------

  /**
   * A request to a partition, which reaches one of its servers that seems to live, and its answer. Both may be slow or lost, and
   * the request may arrive twice. Undefined where no answer came.
   */
  private call(
    { partition, process }: Caller,
    to: number,
    request: CommandRequest,
  ): Promise<{ readonly outcome: CommandOutcome; readonly clocks: readonly number[] } | undefined> {
    const { world, faults } = this;
    const part = partition === to ? 'member' : 'other partition';
    return new Promise((resolve) => {
      const givingUp = world.after(CALL_MS, () => resolve(undefined), process);
      const arrive = async (): Promise<void> => {
        const server = this.isCut(partition, to) ? undefined : this.serverOf(to);
        if (!server) return;
        const fromMs = world.nowMs + BEGUN_AT_MS;
        const outcome = await this.execute(server.writer, request);
        if (this.isCut(partition, to) || faults.strikes('lost answer', part)) return;
        const clocks = [fromMs - SKEW_MS_MAX, fromMs, world.nowMs + BEGUN_AT_MS + SKEW_MS_MAX];
        const deliver = (): void => {
          givingUp.run = undefined;
          resolve(outcome && { outcome, clocks });
        };
        world.after(this.delay(part), deliver, process);
      };
      if (!faults.strikes('lost request', part)) world.after(this.delay(part), () => void arrive());
      if (faults.strikes('doubled request', part)) world.after(this.delay(part) * DOUBLED_AFTER, () => void arrive());
    });
  }

  private serverOf(partition: number): Server | undefined {
    const able = this.partitions[partition]?.servers.filter(({ isReady, process }) => isReady && !process.isDead) ?? [];
    return able.length === 0 ? undefined : this.world.random.pick(able);
  }

  private async execute(writer: LedgerWriter, request: CommandRequest): Promise<CommandOutcome | undefined> {
    try {
      return await writer.execute(request);
    } catch (error) {
      if (!(error instanceof Error) || !EXPECTED_ERRORS.has(error.name)) this.failure ??= error;
      return undefined;
    }
  }

  /** As `execute`, by a carrier that may die once it is done, before it learns so. */
  private async executeAndMayDie(
    process: SimulatedProcess,
    writer: LedgerWriter,
    request: CommandRequest,
  ): Promise<CommandOutcome | undefined> {
    const outcome = await this.execute(writer, request);
    const dies = this.world.random.chance(DIES_AT_AN_END) && this.faults.strikes('crash', 'carrier at an end');
    if (!dies) return outcome;
    process.kill();
    return new Promise(() => undefined);
  }

  private delay(part: string): number {
    const { random } = this.world;
    return this.faults.strikes('slow message', part) ? random.next() * SLOW_MS_MAX : 0.1 + random.next() * 4;
  }

  private isCut(from: number, to: number): boolean {
    return this.cut.has(pairOf(from, to));
  }

  // ---- trouble ------------------------------------------------------------------------------------------------------

  private async trouble(): Promise<void> {
    const { world, faults, partitions } = this;
    const { random } = world;
    const partition = random.pick(partitions);
    const { store, servers, carrying, number } = partition;
    const server = random.pick(servers);
    const part = server === carrying ? 'carrier' : 'server';
    strikeServer(server, part, { world, faults });
    if (faults.strikes('cut off', 'partition from partition')) {
      const pair = pairOf(number, random.pick(partitions).number);
      this.cut.add(pair);
      world.after(cutOffMs(world), () => this.cut.delete(pair));
    }
    strikeStore(store, 'partition', { world, faults, isLost: () => partition.isLost });
    this.failure ??= await judgeTransit(partitions);
  }

  private loseLater(): void {
    const { world } = this;
    world.after(world.random.next() * TROUBLE_EVERY_MS_MAX, () => {
      if (this.isPeace) return;
      const partition = world.random.pick(this.partitions);
      const untilMs = world.nowMs + world.random.next() * LOST_MS_MAX;
      this.lost = { partition: partition.number, fromMs: world.nowMs, untilMs };
      this.faults.happened.set('partition lost|partition', 1);
      partition.isLost = true;
      partition.store.isDown = true;
      for (const { process } of partition.servers) process.kill();
      world.after(untilMs - world.nowMs, () => this.isBack(partition));
    });
  }

  private isBack(partition: Partition): void {
    partition.store.isDown = false;
    if (!partition.isLost) return;
    partition.isLost = false;
    if (this.lost) this.lost.untilMs = this.world.nowMs;
  }

  // ---- what it cost -------------------------------------------------------------------------------------------------

  /** Of those whose time the lost partition had no part in. */
  private waits(): Wait[] {
    return this.asked.flatMap(({ what, from, to, atMs, doneMs }) => {
      if (doneMs === undefined) return [];
      const isOfTheLost = this.lost && [from, to].includes(this.lost.partition) && doneMs > this.lost.fromMs;
      return isOfTheLost ? [] : [{ what, ms: doneMs - atMs }];
    });
  }

  private whileLost(): WhileLost[] {
    const { lost } = this;
    if (!lost || !this.isCalm) return [];
    return this.askedWhileLost().map(({ doneMs = Infinity, ...asked }) => ({
      what: `${asked.what}, ${placeOf(asked, lost.partition)}`,
      isDone: doneMs <= lost.untilMs,
    }));
  }

  /** Early enough that it could have been done before the partition was back. */
  private askedWhileLost(): Asked[] {
    const { lost } = this;
    if (!lost) return [];
    return this.asked.filter(({ atMs }) => atMs > lost.fromMs && atMs + UNDISTURBED_MS_MAX < lost.untilMs);
  }

  /** A partition that is lost stops what needs it, and nothing else. */
  private judgeTheLost(): void {
    const { lost } = this;
    if (!lost) return;
    for (const { what, from, to, atMs, doneMs = Infinity } of this.askedWhileLost()) {
      const needsTheLost = from === lost.partition || (to === lost.partition && what !== 'sent across');
      if (!needsTheLost && doneMs - atMs > UNDISTURBED_MS_MAX) {
        throw new Error(`${what} from ${from} to ${to} took ${doneMs - atMs} ms while ${lost.partition} was lost`);
      }
      if (needsTheLost && doneMs < lost.untilMs) throw new Error(`${what} was done by a partition that was lost`);
    }
  }
}

const memberOf = (partition: number, member: number): string => `member-${partition}-${member}`;
const partitionOf = (memberId: string): number => Number(memberId.split('-')[1]);
const pairOf = (one: number, other: number): string => `${Math.min(one, other)}-${Math.max(one, other)}`;

function placeOf({ from, to }: Pick<Asked, 'from' | 'to'>, lost: number): string {
  if (from === lost) return 'from the lost one';
  return to === lost ? 'to the lost one' : 'between the others';
}

async function* eventsOf(link: Link, from: number): AsyncGenerator<readonly JournalEvent[]> {
  for await (const batch of link.readStream(LEDGER_STREAM, { from })) yield batch.map(journalEventOf);
}
