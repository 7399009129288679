export type { ChatMessage, ClientFrame, ServerFrames } from './frames';
export type { OutgoingMessage } from './outbox';
export { RealtimeProvider, useRealtime, type Realtime } from './realtime-provider';
export { useChatRoom, useIsChatShown, type ChatRoom } from './use-chat-room';
export { useFailedMessage, useRealtimeEvent } from './use-realtime-event';
