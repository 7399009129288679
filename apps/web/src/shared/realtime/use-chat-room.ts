import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { EMPTY, type RoomState } from './chat-rooms';
import { useLive } from './realtime-provider';

export interface ChatRoom extends RoomState {
  /**
   * Sends a message; it is in `outgoing` until the server acknowledges it, and sent again after a lost connection.
   * Answers its `clientMessageId`; undefined when the text is blank or nothing is connected (rule chats-30).
   */
  readonly send: (text: string) => string | undefined;
  readonly retry: (clientMessageId: string) => void;
  readonly discard: (clientMessageId: string) => void;
  /** For every key press in the message field. */
  readonly keyPressed: () => void;
}

const never = (): (() => void) => () => undefined;

export interface ChatRoomOptions {
  /**
   * The newest message of the chat as it was loaded, null when it has none, undefined while it is being loaded. The
   * server sends what came after it, so that nothing is missed between loading and joining; some may come both ways.
   */
  readonly lastMessageId?: string | null | undefined;
}

/** Joins a chat for as long as the component is there. Messages themselves come by `useRealtimeEvent('new_message', …)`. */
export function useChatRoom(chatId: string, { lastMessageId }: ChatRoomOptions = {}): ChatRoom {
  const rooms = useLive()?.rooms;
  const state = useSyncExternalStore(rooms?.subscribe ?? never, () => rooms?.state(chatId) ?? EMPTY);
  useEffect(() => rooms?.enter(chatId), [rooms, chatId]);
  useEffect(() => {
    if (lastMessageId !== undefined) rooms?.loadedThrough(chatId, lastMessageId);
  }, [rooms, chatId, lastMessageId]);
  const actions = useMemo(
    () => ({
      send: (text: string) => rooms?.send(chatId, text),
      retry: (clientMessageId: string) => rooms?.retry(clientMessageId),
      discard: (clientMessageId: string) => rooms?.discard(clientMessageId),
      keyPressed: () => rooms?.keyPressed(chatId),
    }),
    [rooms, chatId],
  );
  return useMemo(() => ({ ...state, ...actions }), [state, actions]);
}
