/** The four currencies of the ledger and their minor units (rule ledger-1). */
export const CURRENCIES = ['NOVA', 'KARMA', 'INFLUENCE', 'SEYVN'] as const;

export type Currency = (typeof CURRENCIES)[number];

export const isCurrency = (text: string): text is Currency => (CURRENCIES as readonly string[]).includes(text);

/** Minor units in one whole unit: amounts inside the ledger are always integers of minor units. */
export const MINOR_UNITS: Record<Currency, bigint> = { NOVA: 100n, KARMA: 1n, INFLUENCE: 1n, SEYVN: 100n };
