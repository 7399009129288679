import type { Schemas } from '@/shared/api';

/** Paid chats as the API sends them. Amounts are Nova, times ISO 8601. */
export type ChatParty = Schemas['ChatPartyDto'];
export type ChatView = Schemas['ChatViewDto'];
export type ChatStatus = ChatView['status'];
/** One of the member's open chats. */
export type ChatSummary = Schemas['ChatSummaryDto'];
/** A request in which the member is the host. */
export type ChatRequest = Schemas['ChatRequestDto'];
export type PayoutSummary = Schemas['PayoutSummaryDto'];
