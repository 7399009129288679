import type { Cell, Column } from '../tables/statements.js';

/** Columns of `chats` after its key. Amounts are minor units of NOVA, times are times of events. */
export const CHAT_COLUMNS = [
  ['initiator_id', 'text'],
  ['host_id', 'text'],
  ['price', 'bigint'],
  ['status', 'text'],
  ['revision', 'bigint'],
  ['held_at', 'timestamptz'],
  ['requested_at', 'timestamptz'],
  ['accept_by', 'timestamptz'],
  ['accepted_at', 'timestamptz'],
  ['verify_by', 'timestamptz'],
  ['first_host_message_at', 'timestamptz'],
  ['last_message_at', 'timestamptz'],
  ['last_side', 'text'],
  ['exchanges', 'integer'],
  ['total_characters', 'integer'],
  ['host_characters', 'integer'],
  ['succeeded_at', 'timestamptz'],
  ['rate_by', 'timestamptz'],
  ['ended_at', 'timestamptz'],
  ['terminated_by', 'text'],
  ['termination_cause', 'text'],
  ['completed_at', 'timestamptz'],
  ['initiator_rating', 'smallint'],
  ['host_rating', 'smallint'],
  ['initiator_rated_at', 'timestamptz'],
  ['host_rated_at', 'timestamptz'],
  ['thread', 'boolean'],
  ['settled_at', 'timestamptz'],
  ['paid', 'bigint'],
  ['refunded', 'bigint'],
  ['host_share', 'bigint'],
  ['host_pending', 'bigint'],
  ['host_released_at', 'timestamptz'],
  ['host_influence', 'bigint'],
  ['initiator_released_at', 'timestamptz'],
  ['initiator_influence', 'bigint'],
  ['thread_granted_at', 'timestamptz'],
  ['side_closed', 'boolean'],
  ['deadline', 'timestamptz'],
  ['unsettled_since', 'timestamptz'],
] as const satisfies readonly Column[];

type ChatColumn = (typeof CHAT_COLUMNS)[number][0];

/** Cells as an event gave them, or as text where they come from the table: only null and words are looked at. */
export type ChatRow = Readonly<Record<ChatColumn, Cell>>;

/** `abandoned`: a payment was held, and the request never came. */
export type ChatRowStatus =
  'held' | 'requested' | 'active' | 'successful' | 'completed' | 'declined' | 'expired' | 'terminated' | 'abandoned';

const NAMES: readonly ChatColumn[] = CHAT_COLUMNS.map(([name]) => name);

const fromCells = (cells: readonly Cell[]): ChatRow =>
  Object.fromEntries(NAMES.map((name, index) => [name, cells[index] ?? null])) as ChatRow;

export const readChatRow = (cells: readonly string[]): ChatRow => fromCells(cells);
export const chatCells = (row: ChatRow): readonly Cell[] => NAMES.map((name) => row[name]);

/** A chat of which nothing is known but its sides and its price. */
export const newChatRow = (
  known: { readonly initiatorId: string; readonly hostId: string },
  price: bigint,
): ChatRow => ({
  ...fromCells([]),
  initiator_id: known.initiatorId,
  host_id: known.hostId,
  price,
  status: 'held' satisfies ChatRowStatus,
  revision: -1,
  exchanges: 0,
  total_characters: 0,
  host_characters: 0,
  thread: false,
  side_closed: false,
});

/** Cells are text where they come from the table. */
const holds = (cell: Cell): boolean => cell === true || cell === 'true';

const ENDED: ReadonlySet<Cell> = new Set<ChatRowStatus>([
  'successful',
  'completed',
  'declined',
  'expired',
  'terminated',
  'abandoned',
]);

/** Whether the ledger has yet to move what this chat's state demands (rule ledger-33). */
export function isUnsettled(row: ChatRow): boolean {
  // A request that was given up before anything was held for it: there is nothing to move, unless the hold comes yet.
  if (!ENDED.has(row.status) || row.held_at === null) return false;
  if (row.settled_at === null) return true;
  const isCompleted = row.status === 'completed';
  if (!isCompleted && row.status !== 'successful') return false;
  // Nobody can be given a share of a thread once one of its two has closed their account.
  if (isCompleted && holds(row.thread) && row.thread_granted_at === null && !holds(row.side_closed)) return true;
  return (
    ((isCompleted || row.host_rated_at !== null) && row.host_released_at === null) ||
    ((isCompleted || row.initiator_rated_at !== null) && row.initiator_released_at === null)
  );
}
