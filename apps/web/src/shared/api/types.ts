/** The shapes of `docs/api-contract.md`. Amounts are Nova with at most two decimals, times ISO 8601 in UTC. */

export interface CurrentUser {
  id: string;
  displayName: string;
  email: string;
  /** Whether mail to it is known to arrive. */
  emailVerified: boolean;
  isAdmin: boolean;
  /** The server's operator chose this account as the first admin: it proves itself by a one-time word. */
  awaitsAdminWord: boolean;
  profileImageUrl: string | null;
  profileCardThumbnailUrl: string | null;
  profileCardContent: { url: string; type: string } | null;
  novaBalance: number;
  purchasedNova: number;
  earnedNova: number;
  followingCount: number;
  rating: number;
  ratingCount: number;
  createdAt: string;
  /** An admin who must add a passkey before anything in the panel answers. */
  needsPasskey?: true;
}

export interface NovaBalance {
  /** Purchased + earned + owed. */
  novaBalance: number;
  purchasedNova: number;
  earnedNova: number;
  owedNova: number;
  pendingNova: number;
  heldNova: number;
}

export interface Device {
  id: string;
  userAgent: string;
  createdAt: string;
}

export interface DeviceList {
  devices: Device[];
  count: number;
  limit: number;
}

export interface Party {
  id: string | null;
  displayName: string;
  profileImageUrl: string | null;
}

export interface Transaction {
  /** The statement row's id; `accrued` for rewards not yet credited. */
  id: string;
  type: string;
  /** Signed from the member's side. */
  amount: number;
  /** Of a refunded purchase: Nova of it that was spent already and could not be taken. */
  shortfall: number;
  /** Running balance; of the accrued row: the Nova balance. */
  balanceAfter: number;
  description: string;
  counterparty: Party | null;
  eventId: string | null;
  createdAt: string;
}

export interface TransactionPage {
  transactions: Transaction[];
  nextCursor: string | null;
}

export interface FoundUser {
  id: string;
  displayName: string;
  profileImageUrl: string | null;
  averageRating: number;
}

export interface GiftParty {
  displayName: string;
  profileImageUrl: string | null;
  averageRating: number;
}

export interface Gift {
  id: string;
  senderId: string;
  recipientId: string;
  amount: number;
  recipientShare: number;
  influenceShare: number;
  createdAt: string;
  sender: GiftParty;
  recipient: GiftParty;
}

export interface GiftSummary {
  sentCount: number;
  receivedCount: number;
  totalSent: number;
  totalReceived: number;
}

export interface GiftPage {
  gifts: Gift[];
  summary: GiftSummary;
  nextCursor: string | null;
}

export interface GiftPreview {
  amount: number;
  recipientShare: number;
  influenceShare: number;
  influenceGoesTo: 'holders' | 'treasury';
  /** Nova of the holders' share that is the sender's own. */
  comesBack: number;
  balanceBefore: number;
  balanceAfter: number;
  recipient: { displayName: string; profileImageUrl: string | null };
}

export interface GiftSent {
  gift: Gift;
  novaBalance: number;
  eventId: string;
  projected: boolean;
}

export interface PaymentSetup {
  clientSecret: string;
  paymentIntentId: string;
  amount: number;
  chargedCents: number;
  sandbox: boolean;
  publishableKey: string | null;
}

export interface PurchaseConfirmed {
  amount: number;
  novaBalance: number;
  eventId: string;
  projected: boolean;
}

export interface Pagination {
  page: number;
  limit: number;
  total: number;
  totalPages: number;
}

export interface AdminStats {
  totalUsers: number;
  totalChats: number;
  novaInCirculation: number;
  activeQuests: number;
}

export interface AdminUser {
  id: string;
  displayName: string;
  email: string;
  profileImageUrl: string | null;
  isAdmin: boolean;
  novaBalance: number;
  purchasedNova: number;
  earnedNova: number;
  /** Rewards not yet credited. */
  owedNova: number;
  rating: number;
  ratingCount: number;
  fileCount: number;
  fileBytes: number;
  createdAt: string;
}

export interface AdminUserPage {
  users: AdminUser[];
  pagination: Pagination;
}

export interface AdminNovaChanged {
  user: AdminUser;
  eventId: string;
  message: string;
  projected: boolean;
}

export interface AdminTransaction extends Transaction {
  userId: string;
  userName: string;
  userEmail: string;
}

export interface AdminTransactionPage {
  transactions: AdminTransaction[];
  pagination: Pagination;
}

/** Every filter is off where it is the empty string. Dates are days (`2026-01-31`) in UTC, both inclusive. */
export interface AdminTransactionFilters {
  search: string;
  type: string;
  startDate: string;
  endDate: string;
  userId: string;
}

export interface EventEntry {
  account: string;
  currency: string;
  amount: number;
}

export interface EventDetails {
  eventId: string;
  revision: number;
  type: string;
  createdAt: string;
  description: string;
  entries: EventEntry[];
  actor: { kind: string; id: string | null; displayName: string | null };
  cause: string | null;
  reason: string | null;
  /** What an application wrote with it. */
  note: string | null;
  hash: string;
  previousHash: string;
  related: { eventId: string; type: string; description: string }[];
  /** Admin only: who signed it. */
  signature?: EventSignature;
  /** Admin only: the event as stored. */
  data?: unknown;
}

/** Checked when it was asked for. What a status does not have is null. */
export interface EventSignature {
  /** `before`: older than the first signature. `wrong`: by no key that the installation trusts. */
  status: 'unsigned' | 'before' | 'signed' | 'wrong';
  keyId: string | null;
  /** The revisions that the signature covers. */
  firstRevision: number | null;
  lastRevision: number | null;
  /** Base64url. */
  signature: string | null;
  signedFrom: number | null;
  /** A sentence. */
  problem: string | null;
}
