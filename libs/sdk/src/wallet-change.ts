/** Which way Nova goes, as the application's wallet sees it: by the types of its entries, and of webhooks. */
const SIGNS = new Map([
  ['spend', 1],
  ['earn', -1],
  ['fund', 1],
  ['withdraw', -1],
  ['spend_reversed', -1],
  ['earn_reversed', 1],
  ['tokens.spent', 1],
  ['tokens.earned', -1],
  ['wallet.funded', 1],
  ['wallet.withdrawn', -1],
]);

/** What an entry of the application's wallet changed in it, or what a webhook tells of it: Nova, negative where it went out. */
export const walletChange = ({ type, amount }: { readonly type: string; readonly amount: number }): number =>
  (SIGNS.get(type) ?? 0) * amount;
