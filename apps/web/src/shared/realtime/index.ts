export type { RoomState } from './chat-rooms';
export type { ConnectionStatus } from './connection';
export type { ChatMessage, ClientFrame, ErrorFrame, ExchangeProgress, ServerFrames, ServerFrameType } from './frames';
export type { OutgoingMessage } from './outbox';
export { RealtimeProvider, useRealtime, type Realtime } from './realtime-provider';
export { useChatRoom, type ChatRoom } from './use-chat-room';
export { useFailedMessage, useRealtimeEvent } from './use-realtime-event';
