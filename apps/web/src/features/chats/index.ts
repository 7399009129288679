export { chatKeys } from './chat-keys';
export type { ChatParty, ChatRequest, ChatSummary } from './chat-types';
export { MessageAlerts } from './message-alerts';
export { minutesAndSeconds, useSecondsSince, useSecondsUntil } from './countdown';
export { chatPriceOf, RequestChatDialog } from './request-chat-dialog';
export { refreshAroundChats, refreshBalances } from './use-chat';
export { useAcceptChat, useDeclineChat } from './use-chat-actions';
