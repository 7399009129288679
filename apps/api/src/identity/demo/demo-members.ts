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
  { name: 'Inès Moreau', email: 'ines@nova.example', bought: 6_250 },
  { name: 'Kwame Mensah', email: 'kwame@nova.example', bought: 2_500 },
  { name: 'ليلى المنصور', email: 'layla@nova.example', bought: 12_500 },
  { name: 'Mateo Villareal', email: 'mateo@nova.example', bought: 2_500 },
  { name: 'Noor Rahman', email: 'noor@nova.example', bought: 3_750 },
  { name: 'Oskar Nowak', email: 'oskar@nova.example', granted: 2_500 },
  { name: 'Priya Raghunathan', email: 'priya@nova.example', bought: 12_500 },
  { name: 'Quentin Dubois', email: 'quentin@nova.example', bought: 2_500 },
  { name: 'Rosa Jiménez', email: 'rosa@nova.example', granted: 3_000 },
  { name: 'Park Seo-yeon', email: 'seoyeon@nova.example', bought: 6_250 },
  { name: 'Tāne Parata', email: 'tane@nova.example', bought: 2_500 },
  { name: 'Wilhelmina Anastasia Featherstonehaugh-Oyelaran', email: 'wilhelmina@nova.example', bought: 6_250 },
  { name: 'Viktor Halász', email: 'viktor@nova.example', granted: 2_500 },
  { name: 'Xiomara Delgado', email: 'xiomara@nova.example', bought: 3_750 },
  { name: 'Yusuf Demir', email: 'yusuf@nova.example', bought: 2_500 },
  { name: 'Zofia Kamińska', email: 'zofia@nova.example', bought: 2_500 },
];

/** So many of them are printed to sign in with: all work, but a start should not fill the terminal. */
export const DEMO_SIGN_INS = 8;

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
