import {
  bigint,
  boolean,
  type ColumnType,
  integer,
  nullable,
  type RowOf,
  safeInteger,
  smallint,
  Table,
  text,
  textOf,
  timestamp,
  unguarded,
} from '../tables/table.js';

/** Influence: an amount of the ledger, and few enough for a number. */
const points: ColumnType<bigint, number> = { ...bigint, ofDriver: Number };

/** `abandoned`: a payment was held, but the chat was never requested. */
export type ChatRowStatus =
  'held' | 'requested' | 'active' | 'successful' | 'completed' | 'declined' | 'expired' | 'terminated' | 'abandoned';

const OPEN_STATUSES: ReadonlySet<ChatRowStatus> = new Set(['requested', 'active', 'successful']);
export const OPEN = `status in (${[...OPEN_STATUSES].map((status) => `'${status}'`).join(', ')})`;
export const isOpen = ({ status }: ChatRow): boolean => OPEN_STATUSES.has(status);

/**
 * Every paid chat, one row each: the facts of its own stream, and what the ledger did with its money. Amounts are minor
 * units of NOVA, times are times of events. `deadline` is the next one to enforce; `unsettledSince` is set while the
 * ledger has yet to follow the chat; `sideClosed` once a member closed their account before everything was done.
 */
export const chatTable = new Table('chats', {
  columns: {
    chatId: text,
    initiatorId: unguarded(text),
    hostId: unguarded(text),
    price: unguarded(bigint),
    status: unguarded(textOf<ChatRowStatus>()),
    revision: unguarded(safeInteger),
    heldAt: nullable(timestamp),
    requestedAt: nullable(timestamp),
    acceptBy: nullable(timestamp),
    acceptedAt: nullable(timestamp),
    verifyBy: nullable(timestamp),
    firstHostMessageAt: nullable(timestamp),
    lastMessageAt: nullable(timestamp),
    lastSide: nullable(text),
    exchanges: unguarded(integer),
    totalCharacters: unguarded(integer),
    hostCharacters: unguarded(integer),
    succeededAt: nullable(timestamp),
    rateBy: nullable(timestamp),
    endedAt: nullable(timestamp),
    terminatedBy: nullable(text),
    terminationCause: nullable(text),
    completedAt: nullable(timestamp),
    initiatorRating: nullable(smallint),
    hostRating: nullable(smallint),
    initiatorRatedAt: nullable(timestamp),
    hostRatedAt: nullable(timestamp),
    thread: unguarded(boolean),
    settledAt: nullable(timestamp),
    paid: nullable(bigint),
    refunded: nullable(bigint),
    hostShare: nullable(bigint),
    hostPending: nullable(bigint),
    hostReleasedAt: nullable(timestamp),
    hostInfluence: nullable(points),
    initiatorReleasedAt: nullable(timestamp),
    initiatorInfluence: nullable(points),
    threadGrantedAt: nullable(timestamp),
    sideClosed: unguarded(boolean),
    deadline: nullable(timestamp),
    unsettledSince: nullable(timestamp),
  },
  key: ['chatId'],
  fillfactor: 70,
  indexes: {
    chats_pair: '(initiator_id, host_id)',
    chats_open_host: `(host_id) where ${OPEN}`,
    chats_open_initiator: `(initiator_id) where ${OPEN}`,
    chats_host_history: '(host_id, host_released_at, chat_id) where host_released_at is not null',
    chats_initiator_history: '(initiator_id, initiator_released_at, chat_id) where initiator_released_at is not null',
    chats_deadline: '(deadline) where deadline is not null',
    chats_held: "(held_at) where status = 'held'",
    chats_unsettled: '(unsettled_since) where unsettled_since is not null',
  },
});

export type ChatRow = Omit<RowOf<typeof chatTable>, 'chatId'>;

const NOTHING_YET = {
  heldAt: null,
  requestedAt: null,
  acceptBy: null,
  acceptedAt: null,
  verifyBy: null,
  firstHostMessageAt: null,
  lastMessageAt: null,
  lastSide: null,
  succeededAt: null,
  rateBy: null,
  endedAt: null,
  terminatedBy: null,
  terminationCause: null,
  completedAt: null,
  initiatorRating: null,
  hostRating: null,
  initiatorRatedAt: null,
  hostRatedAt: null,
  settledAt: null,
  paid: null,
  refunded: null,
  hostShare: null,
  hostPending: null,
  hostReleasedAt: null,
  hostInfluence: null,
  initiatorReleasedAt: null,
  initiatorInfluence: null,
  threadGrantedAt: null,
  deadline: null,
  unsettledSince: null,
};

/** A chat of which only the sides and the price are known. */
export const newChatRow = (
  known: { readonly initiatorId: string; readonly hostId: string },
  price: bigint,
): ChatRow => ({
  ...NOTHING_YET,
  initiatorId: known.initiatorId,
  hostId: known.hostId,
  price,
  status: 'held',
  revision: -1,
  exchanges: 0,
  totalCharacters: 0,
  hostCharacters: 0,
  thread: false,
  sideClosed: false,
});

const ENDED: ReadonlySet<ChatRowStatus> = new Set([
  'successful',
  'completed',
  'declined',
  'expired',
  'terminated',
  'abandoned',
]);

/** Whether the ledger has yet to move what this chat's state demands (rule ledger-33). */
export function isUnsettled(row: ChatRow): boolean {
  // A request that ended before a payment was held: there is nothing to move, unless the hold still comes.
  if (!ENDED.has(row.status) || row.heldAt === null) return false;
  if (row.settledAt === null) return true;
  const isCompleted = row.status === 'completed';
  if (!isCompleted && row.status !== 'successful') return false;
  // Nobody can be given a share of a thread once one of its two has closed their account.
  if (isCompleted && row.thread && row.threadGrantedAt === null && !row.sideClosed) return true;
  return (
    ((isCompleted || row.hostRatedAt !== null) && row.hostReleasedAt === null) ||
    ((isCompleted || row.initiatorRatedAt !== null) && row.initiatorReleasedAt === null)
  );
}
