import { sectionPath } from '../admin-sections';

export const FINANCE_VIEWS = [
  { value: 'books', label: 'Trial balance' },
  { value: 'statement', label: 'Statement' },
  { value: 'dollars', label: 'Dollars' },
  { value: 'close', label: 'Month-end close' },
  { value: 'export', label: 'Export' },
] as const;
export type FinanceView = (typeof FINANCE_VIEWS)[number]['value'];

export const viewOf = (parameters: URLSearchParams): FinanceView =>
  FINANCE_VIEWS.find(({ value }) => value === parameters.get('view'))?.value ?? 'books';

/** The address of a place in the books; empty values are left out. */
export const financePath = (parameters: Readonly<Record<string, string>>): string =>
  sectionPath('finance', Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== '')));

/** The value of a field for date and time, without a zone: here it is always UTC. */
const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?$/;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a moment starts or ends the range. Both ends are included, so a day or a second counts in full. */
export type Edge = 'start' | 'end';
const OF_DAY = { start: '00:00:00', end: '23:59:59' } as const;
const OF_SECOND = { start: '.000Z', end: '.999Z' } as const;

/** A moment from the address, for the field; a value in another form is not shown. */
export function toFieldTime(at: string, edge: Edge = 'end'): string {
  if (DAY.test(at)) return `${at}T${OF_DAY[edge]}`;
  const local = at.endsWith(OF_SECOND[edge]) ? at.slice(0, -OF_SECOND[edge].length) : at.replace(/Z$/, '');
  return LOCAL.test(local) ? local : '';
}

/** The field's value, as the API takes it. */
export function fromFieldTime(local: string, edge: Edge = 'end'): string {
  if (!LOCAL.test(local)) return '';
  const seconds = local.length === 'yyyy-mm-ddThh:mm'.length ? `${local}:00` : local;
  return seconds.includes('.') ? `${seconds}Z` : `${seconds}${OF_SECOND[edge]}`;
}
