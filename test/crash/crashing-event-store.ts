import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { EventStoreDbServer } from '../support/eventstoredb-server.js';

/**
 * The event store of a crash test. `EVENTSTORE_URL` names a real one, which dies only if `EVENTSTORE_COMMAND` (a command that
 * serves it in the foreground and keeps its data) says how to bring it back; `EVENTSTORE_URL=stand-in` is the one of the
 * tests, which breaks every connection and comes back with its events.
 */
export class CrashingEventStore {
  private process: ChildProcess | undefined;
  private isUp = false;

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

  /** Starts it where it does not run. Whoever uses it waits until it answers. */
  async start(): Promise<void> {
    if (this.isUp) return;
    this.isUp = true;
    if (this.standIn) return this.standIn.start();
    if (this.command === undefined) return;
    // A group of its own, so that a shell between cannot outlive what it started.
    this.process = spawn(this.command, { shell: true, detached: true, stdio: 'ignore' });
    await once(this.process, 'spawn');
  }

  async kill(): Promise<void> {
    if (!this.isUp) return;
    this.isUp = false;
    this.standIn?.kill();
    const { process: running } = this;
    if (running?.pid === undefined) return;
    const ended = once(running, 'exit');
    process.kill(-running.pid, 'SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
  }
}
