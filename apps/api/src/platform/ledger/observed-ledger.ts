import type { CommandOutcome, CommandRequest, Ledger, LedgerWriter } from '@app/ledger';
import { LedgerTraces } from '../tracing/ledger-traces.js';
import type { LedgerMetrics } from './ledger-metrics.js';

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
