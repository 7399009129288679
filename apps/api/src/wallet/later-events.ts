import { Injectable } from '@nestjs/common';
import { factKeyHash } from '@app/ledger';
import { type FoundEvent, JournalEvents } from './journal-events.js';
import { ReadModels } from './read-models.js';

/** The key under which an event is reversed once (rule ledger-27). */
export const movementReversalKey = (eventId: string): string => `reversal:${eventId}`;

/** The key under which a reversed purchase is reinstated once. @param reversalId of the refund or dispute */
export const reinstatementKey = (reversalId: string): string => `reinstatement:${reversalId}`;

/** Finds what came of an event later, by the key that such an event has. */
@Injectable()
export class LaterEvents {
  constructor(
    private readonly readModels: ReadModels,
    private readonly events: JournalEvents,
  ) {}

  /** The event that took effect under a key from a fact, or undefined. */
  async underKey(value: string): Promise<FoundEvent | undefined> {
    const hash = factKeyHash(value);
    const found = (await this.readModels.keys.find([hash])).found.get(hash);
    return found && (await this.events.at(found.revision));
  }

  /** Which of these events were reversed. */
  async reversed(eventIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (eventIds.length === 0) return new Set();
    const hashes = new Map(eventIds.map((id) => [factKeyHash(movementReversalKey(id)), id]));
    const { found } = await this.readModels.keys.find([...hashes.keys()]);
    return new Set([...found.keys()].map((hash) => hashes.get(hash) ?? ''));
  }
}
