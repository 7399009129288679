import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { EMPTY, type RoomState } from './chat-rooms';
import { useLive } from './realtime-provider';

export interface ChatRoom extends RoomState {
  /**
   * Sends a message, with the next connection if there is none. It is in `outgoing` until it comes back as a message of
   * the chat, and is sent again after a lost connection. Returns its `clientMessageId`, or undefined if the text is blank
   * (rule chats-30).
   */
  readonly send: (text: string) => string | undefined;
  readonly retry: (clientMessageId: string) => void;
  readonly discard: (clientMessageId: string) => void;
  /** Call this for every key press in the message field. */
  readonly keyPressed: () => void;
  /** What was typed and not sent when the chat was last on the screen. */
  readonly draft: () => string;
  readonly keepDraft: (text: string) => void;
}

const never = (): (() => void) => () => undefined;

/** Tells whether this page shows a chat at the moment. */
export function useIsChatShown(): (chatId: string) => boolean {
  const rooms = useLive()?.rooms;
  return (chatId) => rooms?.isShown(chatId) ?? false;
}

export interface ChatRoomOptions {
  /**
   * The newest message of the chat as it was loaded; null if it has none, undefined while it is being loaded. The
   * server sends what came after it, so that nothing is missed between loading and joining; some messages may come both
   * ways.
   */
  readonly lastMessageId?: string | null | undefined;
}

/**
 * Joins a chat while the component is mounted. The messages themselves arrive through `useRealtimeEvent('new_message',
 * …)`.
 */
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
      draft: () => rooms?.draft(chatId) ?? '',
      keepDraft: (text: string) => rooms?.keepDraft(chatId, text),
    }),
    [rooms, chatId],
  );
  return useMemo(() => ({ ...state, ...actions }), [state, actions]);
}
