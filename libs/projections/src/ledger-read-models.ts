import { balances } from './balances/balances.js';
import { gifts } from './gifts/gifts.js';
import { keyIndex } from './key-index/key-index.js';
import type { ReadModel } from './read-model.js';
import { statement } from './statement/statement.js';
import { totals } from './totals/totals.js';

/** Every read model of the journal. */
export const ledgerReadModels: readonly ReadModel[] = [balances, statement, gifts, keyIndex, totals];
