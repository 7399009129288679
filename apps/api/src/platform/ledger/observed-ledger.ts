import { idsNamedIn, isTestClientId, isTestMemberId, LEDGER_COMMAND_TYPES } from '@app/domain';
import {
  type CommandOutcome,
  type CommandRequest,
  type Ledger,
  LedgerBusy,
  LedgerOutcomeUnknown,
  type LedgerWriter,
  type SettledBatch,
  type WriterStats,
} from '@app/ledger';
import { Counter, Histogram } from 'prom-client';
import type { Metrics } from '../health/metrics.js';
import { LedgerTraces } from '../tracing/ledger-traces.js';

const COUNTS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 4_000];
const SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** What the writer tells of itself, and what becomes of each command by its type. */
export class LedgerMetrics {
  private readonly commands;
  private readonly refusals;
  private readonly batchCommands;
  private readonly batchEvents;
  private readonly appendSeconds;

  constructor(metrics: Metrics, writer: LedgerWriter) {
    const registers = [metrics.registry];
    this.commands = new Counter({
      name: 'nova_ledger_commands_total',
      help: 'Commands to the ledger by type and outcome; tried: a dry run',
      labelNames: ['type', 'outcome'] as const,
      registers,
    });
    // An alert waits for their increase, and what begins with 1 has not increased.
    for (const type of LEDGER_COMMAND_TYPES) this.commands.inc({ type, outcome: 'unknown' }, 0);
    this.refusals = new Counter({
      name: 'nova_ledger_refusals_total',
      help: 'Commands that the ledger refused, by type and code',
      labelNames: ['type', 'code'] as const,
      registers,
    });
    this.batchCommands = new Histogram({
      name: 'nova_ledger_batch_commands',
      help: 'Commands decided together, refused ones too',
      buckets: COUNTS,
      registers,
    });
    this.batchEvents = new Histogram({
      name: 'nova_ledger_batch_events',
      help: 'Events of one append',
      buckets: COUNTS,
      registers,
    });
    this.appendSeconds = new Histogram({
      name: 'nova_ledger_append_seconds',
      help: 'From sending a batch until it is durable, repetitions included',
      buckets: SECONDS,
      registers,
    });
    metrics.gauge('nova_ledger_revision', 'Last durable revision that this process knows', () => writer.revision);
    metrics.gauge('nova_ledger_backlog', 'Commands that wait or are under way', () => writer.backlog);
    for (const name of ['appends', 'events', 'conflicts', 'retries'] as const) countStat(metrics, writer.stats, name);
  }

  batch({ commands, events, sentAtMs, settledAtMs }: SettledBatch): void {
    this.batchCommands.observe(commands);
    if (events === 0) return;
    this.batchEvents.observe(events);
    this.appendSeconds.observe((settledAtMs - sentAtMs) / 1_000);
  }

  /** @throws what the ledger throws */
  async execute(ledger: Pick<Ledger, 'execute'>, request: CommandRequest): Promise<CommandOutcome> {
    const { type } = request.command;
    try {
      const outcome = await ledger.execute(request);
      this.commands.inc({ type, outcome: request.dryRun ? 'tried' : wordOf(outcome) });
      if (outcome.status === 'refused' && !request.dryRun) {
        this.refusals.inc({ type, code: outcome.rejection.code });
      }
      return outcome;
    } catch (error) {
      this.commands.inc({ type, outcome: failureOf(error) });
      throw error;
    }
  }
}

const wordOf = (outcome: CommandOutcome): string =>
  outcome.status === 'accepted' && outcome.repeated ? 'repeated' : outcome.status;

function failureOf(error: unknown): string {
  if (error instanceof LedgerBusy) return 'busy';
  return error instanceof LedgerOutcomeUnknown ? 'unknown' : 'failed';
}

function countStat({ registry }: Metrics, stats: WriterStats, name: keyof WriterStats): void {
  const counter: Counter = new Counter({
    name: `nova_ledger_${name}_total`,
    help: `Of the ledger's writer, since the start: ${name}`,
    registers: [registry],
    collect() {
      counter.reset();
      counter.inc(stats[name]);
    },
  });
}

/**
 * What test mode made up never reaches the journal, whatever let it come this far (rule apps-11).
 * @throws Error the fault is the program's
 */
function refuseTestIds({ command }: CommandRequest): void {
  for (const id of idsNamedIn(command)) {
    if (isTestClientId(id) || isTestMemberId(id)) throw new Error(`${command.type} names ${id}, which is of test mode`);
  }
}

/** A member of more pools than one event pays collects first, again and again. */
const COLLECTIONS_MAX = 20;

/**
 * The ledger as every part of the API has it: counted, traced where traces are on, and without a refusal for too many pools,
 * which only asks that what they owe be paid first.
 */
export class ObservedLedger implements Ledger {
  private readonly traces = new LedgerTraces();

  constructor(
    private readonly writer: LedgerWriter,
    private readonly metrics: LedgerMetrics,
  ) {
    writer.listen({
      onBatch: (batch) => {
        this.metrics.batch(batch);
        this.traces.batch(batch);
      },
    });
  }

  async execute(request: CommandRequest): Promise<CommandOutcome> {
    refuseTestIds(request);
    for (let collections = 0; ; collections++) {
      const outcome = await this.executeOnce(request);
      const userId = outcome.status === 'refused' ? outcome.rejection.holderId : undefined;
      if (userId === undefined || collections === COLLECTIONS_MAX) return outcome;
      // Moves what is theirs already, a dry run's too: a preview must not refuse what would be accepted.
      const { correlationId, causationId } = request;
      const command = { type: 'CollectRewards', userId } as const;
      await this.executeOnce({ command, actor: 'process', correlationId, causationId });
    }
  }

  private executeOnce(request: CommandRequest): Promise<CommandOutcome> {
    return this.traces.execute(request, () => this.metrics.execute(this.writer, request));
  }

  get revision(): number {
    return this.writer.revision;
  }

  start(): Promise<void> {
    return this.writer.start();
  }

  stop(): Promise<void> {
    return this.writer.stop();
  }
}
