import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDbEventStore, StoreRefused, StoreUnavailable } from '@app/event-store';
import { EventStoreDbServer } from '../support/eventstoredb-server.js';

/** A node that reads a large log, or waits for the others of its cluster, takes a while. */
const THERE_MS_MAX = 120_000;
const SAID_MAX = 4_000;

/**
 * The event store of a crash test. `EVENTSTORE_URL` names a real one, which dies only if `EVENTSTORE_COMMAND` (a command that
 * serves it in the foreground and keeps its data) says how to bring it back; `EVENTSTORE_URL=stand-in` is the one of the
 * tests, which breaks every connection and comes back with its events.
 */
export class CrashingEventStore {
  private process: ChildProcess | undefined;
  private isUp = false;
  /** The end of its output. */
  private said = '';

  private constructor(
    private readonly given: string,
    private readonly command: string | undefined,
    private readonly standIn: EventStoreDbServer | undefined,
  ) {}

  static fromEnvironment(): CrashingEventStore | undefined {
    const given = process.env['EVENTSTORE_URL']?.trim();
    if (!given) return undefined;
    const command = process.env['EVENTSTORE_COMMAND']?.trim();
    return new CrashingEventStore(given, command, given === 'stand-in' ? new EventStoreDbServer() : undefined);
  }

  get url(): string {
    return this.standIn?.connectionString ?? this.given;
  }

  get canDie(): boolean {
    return this.standIn !== undefined || this.command !== undefined;
  }

  /** Starts it if it does not run, and waits until it answers. @throws Error with its output, if it ended instead */
  async start(): Promise<void> {
    if (this.isUp) return;
    this.isUp = true;
    if (this.standIn) return this.standIn.start();
    if (this.command !== undefined) await this.serve(this.command);
    await this.untilThere();
  }

  private async serve(command: string): Promise<void> {
    // A group of its own, so that a shell between cannot outlive what it started.
    const env = withoutItsOwn(process.env);
    const serving = spawn(command, { shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'], env });
    this.process = serving;
    this.said = '';
    for (const stream of [serving.stdout, serving.stderr]) {
      stream.on('data', (chunk: Buffer) => (this.said = (this.said + chunk.toString('utf8')).slice(-SAID_MAX)));
    }
    await once(serving, 'spawn');
  }

  private async untilThere(): Promise<void> {
    for (const deadline = Date.now() + THERE_MS_MAX; ; await sleep(100)) {
      try {
        return await (await EventStoreDbEventStore.open({ connectionString: this.given })).close();
      } catch (error) {
        const isOver = this.process !== undefined && this.process.exitCode !== null;
        if (isOver)
          throw new Error(`EVENTSTORE_COMMAND ended (${this.process?.exitCode}): ${this.said}`, { cause: error });
        if (!(error instanceof StoreUnavailable) || error instanceof StoreRefused || Date.now() > deadline) throw error;
      }
    }
  }

  async kill(): Promise<void> {
    if (!this.isUp) return;
    this.isUp = false;
    this.standIn?.kill();
    const { process: running } = this;
    if (running?.pid === undefined) return;
    if (running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    process.kill(-running.pid, 'SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
  }
}

/** The server takes every variable with its prefix for a setting of its own, and refuses to start on one it does not know. */
const withoutItsOwn = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:EVENTSTORE|KURRENTDB)_/i.test(name)));
