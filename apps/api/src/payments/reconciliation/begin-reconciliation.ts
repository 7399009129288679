import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { readDayOrMoment } from '../../platform/day-or-moment.js';
import type { ReconciliationRun } from './reconciliation-runs.js';
import type { BeginReconciliationDto } from './reconciliation.dto.js';
import { Reconciling } from './reconciling.js';

export class BeginReconciliation extends Command<ReconciliationRun | undefined> {
  constructor(
    readonly adminId: string,
    readonly range: BeginReconciliationDto,
  ) {
    super();
  }
}

/** Reconciles with the provider now. The answer to a short run is its result; a longer run continues. */
@CommandHandler(BeginReconciliation)
export class BeginReconciliationHandler implements ICommandHandler<BeginReconciliation> {
  constructor(private readonly reconciling: Reconciling) {}

  /** @throws AppError 400 an impossible time range, 409 another run is in progress, 503 */
  async execute({ adminId, range: { from, to } }: BeginReconciliation): Promise<ReconciliationRun | undefined> {
    const asked = { from: readDayOrMoment(from), to: readDayOrMoment(to) };
    return this.reconciling.begin(`admin:${adminId}`, await this.reconciling.windowOf(asked));
  }
}
