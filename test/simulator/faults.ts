import type { Random } from './random.js';

/** What goes wrong in a run, and how often at most: of all messages, or of all occasions for trouble. */
const MOST = {
  'slow message': 0.1,
  'lost request': 0.06,
  'lost answer': 0.08,
  'doubled request': 0.05,
  'refused by the store': 0.06,
  'crash after a write': 0.01,
  crash: 0.3,
  'cut off': 0.4,
  'store without quorum': 0.2,
  'clock that leaps': 0.1,
  'stale snapshot': 0.3,
  'index behind': 0.2,
  'stand-by without the last commands': 0.1,
  'same command at two servers': 0.2,
  'equal command at two servers': 0.2,
  'impatient member': 0.5,
} as const;

/** What goes wrong where whole servers run, beside most of these. */
export const MOST_OF_SERVERS = {
  ...MOST,
  'crash after a write': 0.003,
  crash: 0.25,
  'broken connection': 0.004,
  'rolling upgrade': 0.25,
  'late webhook': 0.3,
  'lost webhook': 0.3,
  'doubled webhook': 0.2,
} as const;

export type Fault = keyof typeof MOST_OF_SERVERS;
export const FAULTS = Object.keys(MOST) as readonly Fault[];
export const FAULTS_OF_SERVERS = Object.keys(MOST_OF_SERVERS) as readonly Fault[];

/** A fault is absent from so many runs, which shows what the others do. */
const ABSENT = 0.4;

/** How often each fault happens in one run. */
export class Faults {
  /** How often each one happened, by what it hit. */
  readonly happened = new Map<string, number>();
  private readonly rates = new Map<Fault, number>();
  private isPeace = false;

  /** @param without faults that do not happen whatever the seed says, for a shorter story of the same failure */
  constructor(
    private readonly random: Random,
    without: ReadonlySet<Fault> = new Set(),
    most: Readonly<Partial<Record<Fault, number>>> = MOST,
  ) {
    for (const [fault, highest] of Object.entries(most) as [Fault, number][]) {
      const isAbsent = random.chance(ABSENT);
      const rate = random.next() * highest;
      this.rates.set(fault, isAbsent || without.has(fault) ? 0 : rate);
    }
  }

  /** Whether it happens now, to a part of the product. */
  strikes(fault: Fault, part: string): boolean {
    const strikes = this.random.chance(this.isPeace ? 0 : (this.rates.get(fault) ?? 0));
    if (strikes) this.happened.set(`${fault}|${part}`, (this.happened.get(`${fault}|${part}`) ?? 0) + 1);
    return strikes;
  }

  /** From now on nothing goes wrong. */
  end(): void {
    this.isPeace = true;
  }
}
