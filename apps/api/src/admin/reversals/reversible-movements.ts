import { Injectable } from '@nestjs/common';
import { mixTotal, originalFacts, type OriginalFacts } from '@app/domain';
import type { CommandRequest } from '@app/ledger';
import { AppError, notFound } from '../../platform/errors/app-error.js';
import { JournalEvents } from '../../wallet/journal-events.js';
import { movementReversalKey } from '../../wallet/later-events.js';

/** A movement that can be reversed, with what a reversal must know of it. */
export interface ReversibleMovement {
  readonly facts: OriginalFacts & { readonly originalId: string; readonly originalRevision: number };
  /** What it moved, in minor units. */
  readonly amount: bigint;
}

/** Reads the facts of movements from the journal, which alone has them. */
@Injectable()
export class ReversibleMovements {
  constructor(private readonly events: JournalEvents) {}

  /** @throws AppError 404 no such event, 409 `NOT_REVERSIBLE` */
  async find(eventId: string): Promise<ReversibleMovement> {
    const found = await this.events.byId(eventId);
    if (!found) throw notFound('This event');
    const { recorded, event } = found;
    const facts = originalFacts(event);
    if (facts) {
      const original = { originalId: recorded.id, originalRevision: recorded.revision };
      return { facts: { ...original, ...facts }, amount: mixTotal(facts) };
    }
    throw new AppError(
      409,
      'NOT_REVERSIBLE',
      event.type === 'MovementReversed'
        ? 'A reversal cannot be reversed. Make the movement again instead.'
        : 'Only gifts, grants, deductions and movements of applications can be reversed.',
    );
  }
}

/** The ledger's command. Its key is the original's own, so that a movement is reversed once, whoever asks. */
export const reversalRequest = (
  { facts }: ReversibleMovement,
  { adminId, partly }: { readonly adminId: string; readonly partly: boolean },
): Pick<CommandRequest, 'command' | 'key'> => ({
  command: { type: 'ReverseMovement', ...facts, adminId, partly },
  key: { scope: 'fact', value: movementReversalKey(facts.originalId) },
});
