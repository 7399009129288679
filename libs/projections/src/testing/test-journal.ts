import { createHash, randomUUID } from 'node:crypto';
import {
  decide,
  encodeLedgerEvent,
  evolve,
  LedgerState,
  LEDGER_STREAM,
  type LedgerCommand,
  type LedgerEvent,
} from '@app/domain';
import type { EventStore, NewEvent } from '@app/event-store';

/** A writer for tests: one command at a time, decided and appended as the ledger does it. */
export class TestJournal {
  readonly state = new LedgerState();
  now = Date.UTC(2026, 0, 15, 12);
  private keys = 0;

  constructor(readonly store: EventStore) {}

  /** Appends the events of these commands, in one append; refused ones add nothing. */
  async execute(...commands: readonly LedgerCommand[]): Promise<LedgerEvent[]> {
    const before = this.state.revision;
    const events = commands.flatMap((command) => this.decide(command));
    if (events.length === 0) return events;
    await this.store.append(LEDGER_STREAM, events.map(toNewEvent), before < 0 ? 'none' : before);
    return events;
  }

  private decide(command: LedgerCommand): LedgerEvent[] {
    const decision = decide(this.state, command, this.now);
    if (!decision.accepted) return [];
    this.now += 7;
    const hash = createHash('sha256').update(`key ${this.keys++}`).digest('hex');
    const key = { hash: hash.slice(0, 32), fingerprint: hash.slice(32, 48) };
    return decision.events.map((fact, index) => {
      const event: LedgerEvent = { ...fact, at: this.now, actor: 'process', ...(index === 0 && { key }) };
      evolve(this.state, event, this.state.revision + 1);
      return event;
    });
  }
}

const toNewEvent = (event: LedgerEvent): NewEvent => ({
  id: randomUUID(),
  type: event.type,
  data: encodeLedgerEvent(event),
  metadata: '{}',
});
