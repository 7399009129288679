const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** US cents as people read them: `-1250` → `−$12.50`. */
export const dollars = (cents: number): string => format.format(cents / 100).replace('-', '−');
