import type { WritingTurn } from '@app/ledger';
import type { SimulatedProcess } from './simulated-process.js';
import type { World } from './world.js';

const WAIT_MS = 200;
const GIVEN_AFTER_MS = 0.5;

interface Ticket {
  readonly process: SimulatedProcess;
  readonly granted: () => void;
}

/** A lock between servers: one has it, the others wait for 200 ms, and it ends with its holder. */
export class Turns {
  private waiting: Ticket[] = [];
  private held: Ticket | undefined;

  constructor(private readonly world: World) {}

  of(process: SimulatedProcess): WritingTurn {
    const isMine = (): boolean => this.held?.process === process;
    process.onDeath(() => {
      if (isMine()) this.give();
    });
    return {
      take: () => this.take(process),
      append: () => undefined,
      isWanted: () => Promise.resolve(this.waiting.length > 0 || (this.held !== undefined && !isMine())),
      pass: () => {
        if (isMine()) this.give();
      },
    };
  }

  private take(process: SimulatedProcess): Promise<undefined> {
    return new Promise((resolve) => {
      const ticket: Ticket = {
        process,
        granted: () => this.world.after(GIVEN_AFTER_MS, () => resolve(undefined), process),
      };
      const giveUp = (): void => {
        this.waiting = this.waiting.filter((other) => other !== ticket);
        if (this.held !== ticket) resolve(undefined);
      };
      this.waiting.push(ticket);
      if (!this.held) this.give();
      this.world.after(WAIT_MS, giveUp, process);
    });
  }

  private give(): void {
    do this.held = this.waiting.shift();
    while (this.held?.process.isDead);
    this.held?.granted();
  }
}
