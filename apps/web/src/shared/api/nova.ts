import { MINOR_UNITS, NOVA_PER_DOLLAR } from '@app/domain';
import { madeOnce } from '../made-once';

/** All arithmetic uses whole minor units (rule ledger-1). */
const MINOR_PER_NOVA = Number(MINOR_UNITS.NOVA);

/** Converts Nova as the API sends it to whole minor units; exact for every amount with at most two decimals. */
export const novaToMinor = (nova: number): number => Math.round(nova * MINOR_PER_NOVA);

/** Converts whole minor units to Nova as the API takes it. */
export const minorToNova = (minor: number): number => minor / MINOR_PER_NOVA;

const exact = madeOnce(() => new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }));
const countFormat = madeOnce(() => new Intl.NumberFormat('en-US'));
const whole = madeOnce(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 }));

interface NovaFormat {
  /** `fixed` always shows two decimals (balances, lists); `trim` drops them from whole amounts (sentences, buttons). */
  decimals?: 'fixed' | 'trim';
  /** `always` writes + or − in front (statements); `auto` only the minus. */
  sign?: 'auto' | 'always';
}

/** Formats an amount for people: `12,500.00`, `−1,000.00`. The minus is the typographic one, as wide as the plus. */
export function formatNova(nova: number, { decimals = 'fixed', sign = 'auto' }: NovaFormat = {}): string {
  const minor = novaToMinor(nova);
  const isWhole = minor % MINOR_PER_NOVA === 0;
  const digits = (decimals === 'trim' && isWhole ? whole : exact)().format(Math.abs(minor) / MINOR_PER_NOVA);
  if (minor < 0) return `−${digits}`;
  return sign === 'always' && minor > 0 ? `+${digits}` : digits;
}

/** The amount in words: `12500` → `12,500 Nova`. For labels, screen readers and button texts. */
export function sayAmount(nova: number): string {
  return `${nova < 0 ? 'minus ' : ''}${formatNova(Math.abs(nova), { decimals: 'trim' })} Nova`;
}

/** The note for a refund that found less than it should take back; empty if the full amount was there. */
export const sayShortfall = ({ amount, shortfall }: { amount: number; shortfall: number }): string | undefined =>
  shortfall > 0
    ? `${sayAmount(addNova(shortfall, -amount))} were refunded, ${sayAmount(shortfall)} of them spent already`
    : undefined;

/** Formats a count or a whole figure: `12,500`. */
export const formatCount = (count: number): string => countFormat().format(count);

const PLAIN = /^\d+(\.\d{0,2})?$/;
const GROUPED = /^\d{1,3}([,\u00A0\u202F ]\d{3})+(\.\d{0,2})?$/;
const GROUP_MARKS = /[,\u00A0\u202F ]/g;

/**
 * Parses what a person typed or pasted: `1250`, `1,250`, `1 250.5`, `1,250.00 Nova`. Null for anything else, including
 * a third decimal: amounts are never rounded silently.
 */
export function parseNova(text: string): number | null {
  return parseHundredths(
    text
      .trim()
      .replace(/\s*nova$/i, '')
      .replace(/^\+/, ''),
  );
}

function parseHundredths(text: string): number | null {
  if (!PLAIN.test(text) && !GROUPED.test(text)) return null;
  const number = Number(text.replace(GROUP_MARKS, ''));
  return Number.isSafeInteger(Math.round(number * 100)) ? number : null;
}

/** Parses dollars that a person typed or pasted, `1250`, `$1,250.00`, as cents. Null for anything else. */
export function parseDollars(text: string): number | null {
  const dollars = parseHundredths(text.trim().replace(/^\$\s*/, ''));
  return dollars === null ? null : Math.round(dollars * 100);
}

/** Adds amounts in minor units, so that 0.1 + 0.2 is 0.3. */
export const addNova = (...amounts: readonly number[]): number =>
  minorToNova(amounts.reduce((total, amount) => total + novaToMinor(amount), 0));

/** The price of Nova in US cents, rounded up to the cent as the card is charged (rule wallet-10). */
export const novaPriceCents = (nova: number): number =>
  Math.ceil((novaToMinor(nova) * 100) / (NOVA_PER_DOLLAR * MINOR_PER_NOVA));

const usd = madeOnce(() => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }));

/** Formats US cents for people: `$1.00`, `−$12.50`. */
export const formatUsdCents = (cents: number): string =>
  usd()
    .format(cents / 100)
    .replace('-', '−');
