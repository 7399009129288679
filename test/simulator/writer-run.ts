import { LEDGER_STREAM, type LedgerCommand } from '@app/domain';
import type { CommandOutcome, CommandRequest, KeyIndex, LedgerWriter } from '@app/ledger';
import * as fc from 'fast-check';
import { anyStep, OPENING, type Step } from '../../libs/domain/src/ledger/testing/arbitraries.js';
import { type Fault, Faults } from './faults.js';
import { type Answer, EXPECTED_ERRORS, judge } from './judge.js';
import { Link } from './link.js';
import type { Load, Plant } from './loader.js';
import { SimulatedProcess } from './simulated-process.js';
import { SimulatedSnapshots } from './simulated-snapshots.js';
import { SimulatedStore } from './simulated-store.js';
import { strikeLater, strikeServer, strikeStore } from './trouble.js';
import { Turns } from './turns.js';
import { World } from './world.js';

const COMMANDS = 100;
const SERVERS = 3;
const MEMBERS = 6;
const BEGUN_AT_MS = Date.UTC(2026, 0, 15, 12);
const SKEW_MS_MAX = 200;
const LEAP_MS_MAX = 10_000;
const RESTART_MS_MAX = 3_000;
const TROUBLE_EVERY_MS_MAX = 1_500;
const KEYED = 0.6;
const IN_TURNS = 0.6;
const LOST_EVENTS_MAX = 4;
const BEHIND_EVENTS_MAX = 4;
/** A wait that is longer lets the journal's clock leap: nobody waits for it. */
const WAITED_MS_MAX = 1_000;
const PEACE_MS = 6_000;
const RUN_MS_MAX = 3_600_000;
const TIMEOUT_MS = 5_000;
const IMPATIENT_MS = 500;

/** Given in a terminal, with a key that is there. */
const SIGNING: ReadonlySet<string> = new Set(['BeginSigning', 'ChangeSigningKey']);

export interface RunOptions {
  readonly root: string;
  /** Loads what simulated processes share. */
  readonly load: Load;
  readonly seed: number;
  readonly plant?: Plant | undefined;
  /** Which of the seed's commands are given; all when absent. */
  readonly commands?: ReadonlySet<number> | undefined;
  readonly without?: ReadonlySet<Fault> | undefined;
}

export interface RunResult {
  /** Equal for equal runs. */
  readonly trace: number;
  readonly steps: number;
  readonly simulatedMs: number;
  readonly events: number;
  /** How often each fault struck, as `fault|part`. */
  readonly faults: ReadonlyMap<string, number>;
}

interface Server {
  readonly process: SimulatedProcess;
  readonly link: Link;
  readonly writer: LedgerWriter;
  /** How far it is from the others'. */
  readonly clock: { skewMs: number };
  isReady: boolean;
  /** Called for every request under way when the server dies. */
  readonly calls: Set<() => void>;
}

export const COMMANDS_IN_A_RUN = COMMANDS;

/**
 * One seed: three servers with the product's own `LedgerWriter` on one store, members who give commands, and faults. Then the
 * books are judged.
 * @throws Error what is wrong, the same for the same seed
 */
export const simulateWriters = (options: RunOptions): Promise<RunResult> => new WriterRun(options).run();

class WriterRun {
  private readonly world: World;
  private readonly faults: Faults;
  private readonly store = new SimulatedStore();
  private readonly turns: Turns | undefined;
  private readonly servers: Server[] = [];
  private readonly answers: Answer[] = [];
  private readonly snapshots: SimulatedSnapshots;
  private readonly steps: readonly Step[];
  /** Servers on one machine. */
  private readonly isOneClock: boolean;
  private wallMs = BEGUN_AT_MS;
  private next = 0;
  private isOver = false;
  private failure: unknown;
  /** The highest revision that anybody was told of. */
  private toldMost = -1;

  constructor(private readonly options: RunOptions) {
    const { seed, without } = options;
    this.world = new World(seed);
    this.faults = new Faults(this.world.random, without);
    this.snapshots = new SimulatedSnapshots(this.world, this.faults);
    this.turns = this.world.random.chance(IN_TURNS) ? new Turns(this.world) : undefined;
    this.isOneClock = this.world.random.chance(0.5);
    this.steps = fc.sample(
      anyStep.filter(({ command }) => !SIGNING.has(command.type)),
      { seed, numRuns: COMMANDS },
    );
  }

  async run(): Promise<RunResult> {
    const { world, faults, store } = this;
    for (let slot = 0; slot < SERVERS; slot++) void this.boot(slot);
    this.everyCommand().then(
      () => (this.isOver = true),
      (error: unknown) => (this.failure ??= error),
    );
    strikeLater(world, TROUBLE_EVERY_MS_MAX, { isOver: () => this.isOver, strike: () => this.trouble() });
    await world.run(() => this.isOver || this.failure !== undefined, RUN_MS_MAX);
    if (this.failure === undefined) await this.peace();
    if (this.failure !== undefined) throw this.failure;
    await judge({ store, answers: this.answers, servers: this.servers });
    const { revision } = (await store.inner.head(LEDGER_STREAM)) ?? { revision: -1 };
    const { trace, steps, nowMs: simulatedMs } = world;
    return { trace, steps, simulatedMs, events: revision + 1, faults: faults.happened };
  }

  /** Nothing goes wrong any more: everybody starts, and hears of everything. */
  private async peace(): Promise<void> {
    this.faults.end();
    this.store.isDown = false;
    for (const { link } of this.servers) link.isCut = false;
    const until = this.world.nowMs + PEACE_MS;
    await this.world.run(() => this.world.nowMs > until || this.failure !== undefined, until + RUN_MS_MAX);
  }

  private async boot(slot: number): Promise<void> {
    const { world, store, faults } = this;
    const clock = { skewMs: this.isOneClock ? 0 : world.random.below(2 * SKEW_MS_MAX) - SKEW_MS_MAX };
    const wallMs = (): number => Math.floor(this.wallMs + world.nowMs + clock.skewMs);
    const process = new SimulatedProcess({ ...this.options, world, wallMs });
    const link = new Link({ world, process, faults, store });
    const ledger = process.load('libs/ledger/src/index.ts') as typeof import('@app/ledger');
    const writer = new ledger.LedgerWriter({
      store: link,
      keyIndex: this.keyIndexFor(link),
      clock: { now: wallMs, ready: true },
      snapshots: this.snapshots.sourceFor(link, ledger.holdsHead),
      ...(this.turns && { turn: this.turns.of(process) }),
      onFatal: (error) => {
        this.failure ??= error;
        process.kill();
      },
    });
    const server: Server = { process, link, writer, clock, isReady: false, calls: new Set() };
    this.servers[slot] = server;
    process.onDeath(() => {
      for (const gone of server.calls) world.after(world.random.next() * TIMEOUT_MS * 0.01, gone);
      world.after(world.random.next() * RESTART_MS_MAX, () => void this.boot(slot));
    });
    // A start during which the store is away fails, and the process is started again.
    await writer.start().then(
      () => (server.isReady = true),
      () => process.kill(),
    );
  }

  /** What the projection of keys has seen may lie behind the journal by some events. */
  private keyIndexFor(link: Link): KeyIndex {
    return {
      find: (hashes) =>
        link.ask('key index', async () => {
          const events = await this.store.events();
          const behind = this.faults.strikes('index behind', 'key index')
            ? this.world.random.below(BEHIND_EVENTS_MAX)
            : 0;
          const through = Math.max(-1, events.length - 1 - behind);
          const found = new Map<string, { fingerprint: string; revision: number }>();
          for (const [revision, { key }] of events.slice(0, through + 1).entries()) {
            if (key && hashes.includes(key.hash)) found.set(key.hash, { fingerprint: key.fingerprint, revision });
          }
          return { through, found };
        }),
    };
  }

  /** The beginning of the history, then all commands, by members who each wait for their answers. */
  private async everyCommand(): Promise<void> {
    for (const [n, command] of OPENING.entries()) await this.give({ id: `opening-${n}`, command, isKeyed: true });
    await Promise.all(Array.from({ length: MEMBERS }, () => this.someCommands()));
  }

  private async someCommands(): Promise<void> {
    const { random } = this.world;
    for (let step = this.steps[this.next]; step; step = this.steps[this.next]) {
      const n = this.next++;
      const isSame = this.faults.strikes('same command at two servers', 'execute');
      // Without a key nothing says that it is the same: it is given twice, and takes effect twice.
      const isEqual = this.faults.strikes('equal command at two servers', 'execute');
      const isKeyed = random.chance(KEYED) ? !isEqual : isSame;
      if (this.options.commands?.has(n) === false) continue;
      if (step.waitMs > WAITED_MS_MAX) this.wallMs += step.waitMs;
      else await this.world.sleep(step.waitMs);
      const given = { id: `command-${n}`, command: step.command, isKeyed };
      await Promise.all(isSame || isEqual ? [this.give(given, 0), this.give(given, 1)] : [this.give(given)]);
    }
  }

  /**
   * A member's client: with a key it repeats until it is answered, without one it asks once.
   * @param twin which of two servers is asked first
   */
  private async give({ id, command, isKeyed }: Given, twin?: number): Promise<void> {
    const { world } = this;
    const request: CommandRequest = {
      command,
      actor: 'process',
      timeoutMs: this.faults.strikes('impatient member', 'execute') ? 1 + world.random.below(IMPATIENT_MS) : TIMEOUT_MS,
      // Twins without a key are told apart by nothing.
      ...((isKeyed || twin === undefined) && { cause: id }),
      ...(isKeyed && { key: { scope: 'fact', value: id } }),
    };
    for (let attempt = 0; ; attempt++) {
      const server = twin !== undefined && attempt === 0 ? this.servers[twin] : world.random.pick(this.servers);
      const [toldBefore, fromMs, life] = [this.toldMost, this.wallMs + world.nowMs, this.store.life];
      const { outcome, error } = await this.ask(server, request);
      const isOfAnotherLife = life !== this.store.life;
      if (outcome && !isOfAnotherLife) {
        const untilMs = this.wallMs + world.nowMs;
        const clocks = [fromMs, untilMs].map((ms) => Math.floor(ms + (server?.clock.skewMs ?? 0)));
        this.failure ??= await this.told(id, outcome, toldBefore);
        this.answers.push({ id, command, outcome, clocks, isKeyed, isVoid: false });
        return;
      }
      // Told on the way of a stand-by's take-over: it may be void already.
      if (!isKeyed && (outcome ?? error !== 'LedgerBusy')) return;
      await world.sleep(20 + world.random.next() * 200);
    }
  }

  /** What must hold at the moment of an answer. @returns what is wrong */
  private async told(id: string, outcome: CommandOutcome, toldBefore: number): Promise<Error | undefined> {
    if (outcome.status === 'key-reused') return undefined;
    if (outcome.status === 'accepted') {
      const recorded = await this.store.recorded();
      const lost = outcome.events.find((event) => recorded[event.revision]?.id !== event.id);
      if (lost) return new Error(`${id} was answered before it was durable`);
      if (outcome.repeated) return undefined;
    }
    if (outcome.revision < toldBefore) {
      return new Error(`${id} was answered from the past: ${outcome.revision} after ${toldBefore}`);
    }
    this.toldMost = Math.max(this.toldMost, outcome.revision);
    return undefined;
  }

  private ask(
    server: Server | undefined,
    request: CommandRequest,
  ): Promise<{ readonly outcome?: CommandOutcome; readonly error?: string }> {
    return new Promise((resolve) => {
      const gone = (): void => resolve({ error: 'gone' });
      if (!server?.isReady || server.process.isDead) {
        this.world.after(5, () => resolve({ error: 'LedgerBusy' }));
        return;
      }
      server.calls.add(gone);
      server.writer
        .execute(request)
        .then(
          (outcome) => resolve({ outcome }),
          (error: Error) => {
            if (!EXPECTED_ERRORS.has(error.name)) this.failure ??= error;
            resolve({ error: error.name });
          },
        )
        .finally(() => server.calls.delete(gone));
    });
  }

  private trouble(): void {
    const { world, faults, store } = this;
    const { random } = world;
    const server = random.pick(this.servers);
    const part = partOf(server);
    strikeServer(server, part, { world, faults });
    strikeStore(store, part, { world, faults });
    if (faults.strikes('clock that leaps', part)) server.clock.skewMs += random.below(2 * LEAP_MS_MAX) - LEAP_MS_MAX;
    if (random.chance(0.1)) void this.snapshots.take(store);
    if (faults.strikes('stand-by without the last commands', part))
      void this.failOver(1 + random.below(LOST_EVENTS_MAX));
  }

  /** What was told of lost events is void. */
  private async failOver(events: number): Promise<void> {
    const lost = await this.store.failOver(events);
    if (!lost) return;
    const { revision } = (await this.store.inner.head(LEDGER_STREAM)) ?? { revision: -1 };
    this.toldMost = -1;
    for (const answer of this.answers) {
      const { outcome } = answer;
      answer.isVoid ||=
        outcome.status === 'accepted'
          ? lost.has(outcome.events[0]?.id ?? '')
          : outcome.status === 'refused' && outcome.revision >= revision;
    }
  }
}

interface Given {
  readonly id: string;
  readonly command: LedgerCommand;
  readonly isKeyed: boolean;
}

/** What a server is doing, for the table of faults. */
function partOf({ isReady, writer }: Server): string {
  if (!isReady) return 'start';
  return writer.backlog > 0 ? 'commands under way' : 'idle';
}
