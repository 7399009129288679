/** The sections of the Admin Panel (rule admin-3), in navigation order; the panel opens on the first. */
export const ADMIN_SECTIONS = [
  { name: 'overview', label: 'Overview', group: 'Platform' },
  { name: 'users', label: 'Users', group: 'Platform' },
  { name: 'content', label: 'Content', group: 'Platform' },
  { name: 'reports', label: 'Reports', group: 'Platform' },
  { name: 'quests', label: 'Daily Quests', group: 'Platform' },
  { name: 'transactions', label: 'Transactions', group: 'Money' },
  { name: 'finance', label: 'Finance', group: 'Money' },
  { name: 'bulk', label: 'Bulk Grants', group: 'Money' },
  { name: 'periods', label: 'Periods', group: 'Money' },
  { name: 'reconciliation', label: 'Reconciliation', group: 'Money' },
  { name: 'approvals', label: 'Approvals', group: 'Control' },
  { name: 'watches', label: 'Watches', group: 'Control' },
  { name: 'audit', label: 'Audit', group: 'Control' },
  { name: 'read-models', label: 'Read Models', group: 'Control' },
] as const satisfies readonly { name: string; label: string; group: string }[];

/** The headings under which the sections stand. */
export const SECTION_GROUPS = [...new Set(ADMIN_SECTIONS.map(({ group }) => group))];

export type AdminSection = (typeof ADMIN_SECTIONS)[number]['name'];

const SECTION = 'section';
/** Before there were sections, an address with any of these parameters showed the transactions that they filter. */
const TRANSACTION_PARAMETERS = ['search', 'type', 'startDate', 'endDate', 'userId', 'page'];

export const isSection = (name: string | null): name is AdminSection =>
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
