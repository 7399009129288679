/** Who lives in a demo installation. The order is the order in which they are printed. */
export const DEMO_ADMIN = { name: 'Robin Admin', email: 'admin@nova.example' } as const;

export interface DemoMember {
  readonly name: string;
  readonly email: string;
  /** Whole Nova bought with a test card; absent: none. */
  readonly bought?: number;
  /** Whole Nova that the admin granted; absent: none. */
  readonly granted?: number;
}

export const DEMO_MEMBERS: readonly DemoMember[] = [
  { name: 'Ada Okafor', email: 'ada@nova.example', bought: 25_000, granted: 1_500 },
  { name: 'Ben Castillo', email: 'ben@nova.example', bought: 12_500 },
  { name: 'Chiara Romano', email: 'chiara@nova.example', bought: 125_000 },
  { name: 'Dmitri Sokolov', email: 'dmitri@nova.example', granted: 5_000 },
  { name: 'Emi Tanaka', email: 'emi@nova.example', bought: 12_500 },
  { name: 'Farid Haddad', email: 'farid@nova.example', bought: 25_000, granted: 750 },
  { name: 'Grace Lindqvist', email: 'grace@nova.example' },
  { name: 'Hugo Almeida', email: 'hugo@nova.example', bought: 6_250 },
];

/** Gifts among them, in order: from, to, Nova. */
export const DEMO_GIFTS: readonly (readonly [from: string, to: string, nova: number])[] = [
  ['ada@nova.example', 'chiara@nova.example', 2_500],
  ['chiara@nova.example', 'ada@nova.example', 10_000],
  ['ben@nova.example', 'emi@nova.example', 1_250.5],
  ['chiara@nova.example', 'grace@nova.example', 6_000],
  ['emi@nova.example', 'hugo@nova.example', 1_500],
  ['farid@nova.example', 'ada@nova.example', 3_333.33],
  ['ada@nova.example', 'dmitri@nova.example', 1_000],
  ['hugo@nova.example', 'ben@nova.example', 2_000],
  ['grace@nova.example', 'farid@nova.example', 1_000],
  ['chiara@nova.example', 'emi@nova.example', 20_000],
  ['ben@nova.example', 'ada@nova.example', 5_000],
];
