import type { CommandOutcome, CommandRequest, JournalEvent } from '@app/ledger';
import { acrossIn, type AcrossCommand, type AcrossEvent, commandOf, type SentAcross } from './transit.js';

const PAUSE_MS = 50;
const PAUSE_MS_MAX = 800;

export type Verdict = 'arrived' | 'given back';

export interface CarrierOptions {
  /** The partition whose transfers it carries, which also gives it its place. */
  readonly partition: number;
  /** What follows in the partition's journal. @throws StoreUnavailable */
  readonly read: (from: number) => AsyncIterable<readonly JournalEvent[]>;
  /** Gives a command to a partition, this one included: undefined where no answer came. */
  readonly give: (partition: number, request: CommandRequest) => Promise<CommandOutcome | undefined>;
  readonly pause: (ms: number) => Promise<void>;
  /** How a transfer ended: at least once each. */
  readonly tell: (sent: SentAcross, verdict: Verdict) => void;
  /** What must never happen. */
  readonly onFatal: (error: unknown) => void;
}

/**
 * Carries each transfer out of its partition to the other journal, at least once, with keys that are made from the
 * transfer. It keeps nothing of its own: what is open, the journal says. Any number of carriers may do so at once.
 */
export class Carrier {
  private next = 0;
  private isReading = false;
  /** The journal went on while it was read. */
  private isBehind = false;
  private readonly open = new Map<string, SentAcross>();
  private readonly underWay = new Set<string>();

  constructor(private readonly options: CarrierOptions) {}

  /** Reads on from where it is, the first time from the journal's beginning: there may be more. */
  wake(): void {
    this.isBehind = this.isReading;
    if (this.isReading) return;
    this.isReading = true;
    this.readOn().then(() => this.carryAll(), this.options.onFatal);
  }

  /** The journal's new events, in order. */
  hear(events: readonly JournalEvent[]): void {
    if (!this.isReading) this.take(events);
    if ((events.at(-1)?.revision ?? -1) >= this.next) this.wake();
    else this.carryAll();
  }

  private async readOn(): Promise<void> {
    for (;;) {
      try {
        do {
          this.isBehind = false;
          for await (const events of this.options.read(this.next)) this.take(events);
        } while (this.isBehind);
        this.isReading = false;
        return;
      } catch {
        await this.options.pause(PAUSE_MS);
      }
    }
  }

  private take(events: readonly JournalEvent[]): void {
    for (const { revision, event } of events) {
      if (revision !== this.next) continue;
      this.next += 1;
      const across = acrossIn(event);
      if (across?.type === 'SentAcross') this.open.set(across.transferId, across);
      if (across?.type === 'NettedAcross' || across?.type === 'GivenBackAcross') this.end(across);
    }
  }

  /** A return is told of as the journal has it: whoever returned it may have died since. */
  private end({ type, transferId }: AcrossEvent): void {
    const sent = this.open.get(transferId);
    if (sent && type === 'GivenBackAcross') this.options.tell(sent, 'given back');
    this.open.delete(transferId);
  }

  /** Each by itself: a partition that does not answer holds up nothing but what goes there. */
  private carryAll(): void {
    for (const [id, sent] of this.open) {
      if (this.underWay.has(id)) continue;
      this.underWay.add(id);
      this.carry(sent).then(() => this.underWay.delete(id), this.options.onFatal);
    }
  }

  private async carry(sent: SentAcross): Promise<void> {
    const { partition, tell } = this.options;
    const { transferId, senderId, recipientId, to, purchased, earned } = sent;
    const amount = purchased + earned;
    const answer = await this.untilAccepted(to, `received:${transferId}`, {
      type: 'ReceiveAcross',
      transferId,
      recipientId,
      from: partition,
      amount,
    });
    const hasArrived = answer.events.some(({ event }) => acrossIn(event)?.type === 'ReceivedAcross');
    if (hasArrived) tell(sent, 'arrived');
    // One key for both ends: of the two only one can be.
    await this.untilAccepted(
      partition,
      `ended:${transferId}`,
      hasArrived
        ? { type: 'NetAcross', transferId, to, amount }
        : { type: 'GiveBackAcross', transferId, senderId, to, purchased, earned },
    );
  }

  /** No answer is no verdict: it asks until there is one. */
  private async untilAccepted(
    partition: number,
    value: string,
    command: AcrossCommand,
  ): Promise<Extract<CommandOutcome, { status: 'accepted' }>> {
    const request = { command: commandOf(command), actor: 'process', key: { scope: 'fact', value } };
    for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
      const outcome = await this.options.give(partition, request);
      if (outcome?.status === 'accepted') return outcome;
      if (outcome) throw new Error(`${value} was answered with ${outcome.status}`);
      await this.options.pause(pauseMs);
    }
  }
}
