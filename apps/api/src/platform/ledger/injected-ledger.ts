/** Provides the `Ledger`: the one way into the journal. */
export const LEDGER = Symbol('LEDGER');
/** Provides the `OpenLedger`: the writer with its clock. */
export const OPEN_LEDGER = Symbol('OPEN_LEDGER');
