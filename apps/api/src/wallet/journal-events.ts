import { Inject, Injectable } from '@nestjs/common';
import type { LedgerEvent } from '@app/domain';
import type { RecordedEvent } from '@app/event-store';
import {
  GENESIS_HASH,
  hashOf,
  journalEventOf,
  type LedgerEvents,
  revisionOfEventId,
  VerifiedLedger,
} from '@app/ledger';

/** An event of the journal with its links. */
export interface FoundEvent {
  readonly recorded: RecordedEvent;
  readonly event: LedgerEvent;
  readonly hash: string;
  readonly previousHash: string;
}

/** One command makes few events; more than these are not listed as related. */
const SIBLINGS_MAX = 50;

/** Reads single events of the journal for audits: a read model would only copy them. */
@Injectable()
export class JournalEvents {
  constructor(@Inject(VerifiedLedger) private readonly ledger: LedgerEvents) {}

  /** Includes unsigned events, for callers that report them as unsigned. */
  get asStored(): JournalEvents {
    return new JournalEvents(this.ledger.asStored);
  }

  /** The event with this id, or undefined. */
  async byId(id: string): Promise<FoundEvent | undefined> {
    const revision = revisionOfEventId(id);
    const found = revision === undefined ? undefined : await this.at(revision);
    return found?.recorded.id === id.toLowerCase() ? found : undefined;
  }

  async at(revision: number): Promise<FoundEvent | undefined> {
    const from = Math.max(revision - 1, 0);
    const [first, second] = await this.ledger.read(from, 2);
    const recorded = revision === 0 ? first : second;
    if (!recorded || recorded.revision !== revision) return undefined;
    return {
      recorded,
      event: journalEventOf(recorded).event,
      hash: hashOf(recorded.metadata),
      previousHash: revision === 0 || !first ? GENESIS_HASH : hashOf(first.metadata),
    };
  }

  /** The other events of the same command, in order. */
  async siblings({ recorded, event }: FoundEvent): Promise<readonly RecordedEvent[]> {
    const [index, count] = event.part ?? [0, 1];
    if (count === 1) return [];
    const together = await this.ledger.read(Math.max(recorded.revision - index, 0), Math.min(count, SIBLINGS_MAX));
    return together.filter(({ revision }) => revision !== recorded.revision);
  }
}
