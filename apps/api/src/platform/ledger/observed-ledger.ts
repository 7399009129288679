import type { CommandOutcome, CommandRequest, Ledger, LedgerWriter } from '@app/ledger';
import { LedgerTraces } from '../tracing/ledger-traces.js';
import type { LedgerMetrics } from './ledger-metrics.js';

/** The ledger as every part of the API has it: counted, and traced where traces are on. */
export class ObservedLedger implements Ledger {
  private readonly traces = new LedgerTraces();

  constructor(
    private readonly writer: LedgerWriter,
    private readonly metrics: LedgerMetrics,
  ) {
    writer.onBatch = (batch) => {
      this.metrics.batch(batch);
      this.traces.batch(batch);
    };
  }

  execute(request: CommandRequest): Promise<CommandOutcome> {
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
