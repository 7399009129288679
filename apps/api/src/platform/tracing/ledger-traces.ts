import type { CommandOutcome, CommandRequest, SettledBatch } from '@app/ledger';
import { inSpan, novaTracer, tracingIsOn } from './tracing.js';

/**
 * What a command waited for in the ledger: for its decision and its turn, and for the one append that it shared with others.
 * Each command's trace shows that append as its own.
 */
export class LedgerTraces {
  private readonly batches = new WeakMap<CommandRequest, SettledBatch>();

  batch(batch: SettledBatch): void {
    if (!tracingIsOn()) return;
    for (const request of batch.requests()) this.batches.set(request, batch);
  }

  execute(request: CommandRequest, work: () => Promise<CommandOutcome>): Promise<CommandOutcome> {
    if (!tracingIsOn()) return work();
    const beganMs = performance.now();
    return inSpan('ledger', { 'nova.command': request.command.type }, async (span) => {
      try {
        const outcome = await work();
        span?.setAttribute('nova.outcome', outcome.status);
        if (outcome.status === 'refused') span?.setAttribute('nova.code', outcome.rejection.code);
        return outcome;
      } finally {
        this.addSteps(request, beganMs);
      }
    });
  }

  private addSteps(request: CommandRequest, beganMs: number): void {
    const batch = this.batches.get(request);
    if (!batch) return;
    const { commands, events, sentAtMs, settledAtMs } = batch;
    const tracer = novaTracer();
    tracer.startSpan('ledger decide and queue', { startTime: beganMs }).end(Math.max(beganMs, sentAtMs));
    const attributes = { 'nova.batch.commands': commands, 'nova.batch.events': events };
    const name = events > 0 ? 'ledger append' : 'ledger confirm';
    tracer.startSpan(name, { startTime: sentAtMs, attributes }).end(settledAtMs);
  }
}
