/** The sections of the Admin Panel (rule admin-3), in navigation order; the panel opens on the first. */
export const ADMIN_SECTIONS = [
  { name: 'overview', label: 'Overview' },
  { name: 'quests', label: 'Daily Quests' },
  { name: 'users', label: 'Users' },
  { name: 'content', label: 'Content' },
  { name: 'reports', label: 'Reports' },
  { name: 'transactions', label: 'Transactions' },
  { name: 'finance', label: 'Finance' },
  { name: 'bulk', label: 'Bulk Grants' },
  { name: 'approvals', label: 'Approvals' },
  { name: 'watches', label: 'Watches' },
  { name: 'periods', label: 'Periods' },
  { name: 'reconciliation', label: 'Reconciliation' },
  { name: 'audit', label: 'Audit' },
  { name: 'read-models', label: 'Read Models' },
] as const satisfies readonly { name: string; label: string }[];

export type AdminSection = (typeof ADMIN_SECTIONS)[number]['name'];

const SECTION = 'section';
/** Before there were sections, an address with any of these parameters showed the transactions that they filter. */
const TRANSACTION_PARAMETERS = ['search', 'type', 'startDate', 'endDate', 'userId', 'page'];

const isSection = (name: string | null): name is AdminSection =>
  ADMIN_SECTIONS.some((section) => section.name === name);

/** The section that an address means. */
export function sectionOf(parameters: URLSearchParams): AdminSection {
  const named = parameters.get(SECTION);
  if (isSection(named)) return named;
  const isOfTransactions = named === null && TRANSACTION_PARAMETERS.some((name) => parameters.has(name));
  return isOfTransactions ? 'transactions' : 'overview';
}

/** The address of a section, with its filters. */
export function sectionPath(section: AdminSection, filters: Readonly<Record<string, string>> = {}): string {
  return `/admin?${new URLSearchParams({ [SECTION]: section, ...filters })}`;
}

/** The address of an event's own page. */
export const eventPath = (eventId: string): string => `/admin/events/${encodeURIComponent(eventId)}`;

/** The new address for one from before there were sections; null if it names its section, or means none. */
export function movedPath(parameters: URLSearchParams): string | null {
  if (parameters.has(SECTION) || sectionOf(parameters) === 'overview') return null;
  return sectionPath(sectionOf(parameters), Object.fromEntries(parameters));
}
