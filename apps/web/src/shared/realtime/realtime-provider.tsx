import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useMemo, useSyncExternalStore, type ReactNode } from 'react';
import { newIdempotencyKey, queryKeys, useCurrentUser } from '@/shared/api';
import { ChatRooms } from './chat-rooms';
import { RealtimeConnection, type ConnectionStatus } from './connection';
import type { ClientFrame, FrameHandler, ServerFrameType } from './frames';

interface Live {
  readonly connection: RealtimeConnection;
  readonly rooms: ChatRooms;
}

const LiveContext = createContext<Live | null>(null);

/** Opens `/ws` at this page's own address, secure if the page is (rule realtime-13). */
function openSocket(): WebSocket {
  const address = new URL('/ws', window.location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return new WebSocket(address);
}

/** The one live connection of this page. It exists only while somebody is signed in (rule realtime-13). */
export function RealtimeProvider({ children }: { children: ReactNode }) {
  const { data: user } = useCurrentUser();
  const client = useQueryClient();
  const userId = user?.id;
  const live = useMemo(() => {
    if (userId === undefined) return null;
    const connection = new RealtimeConnection({
      userId,
      openSocket,
      onSessionDoubt: () => void client.invalidateQueries({ queryKey: queryKeys.currentUser }),
    });
    return { connection, rooms: new ChatRooms({ connection, userId, newId: newIdempotencyKey }) };
  }, [userId, client]);
  useEffect(() => {
    if (live === null) return undefined;
    const { connection } = live;
    const onOnline = () => connection.open();
    const onOffline = () => connection.networkLost();
    connection.open();
    window.addEventListener('online', onOnline);
    window.addEventListener('offline', onOffline);
    return () => {
      window.removeEventListener('online', onOnline);
      window.removeEventListener('offline', onOffline);
      connection.close();
    };
  }, [live]);
  return <LiveContext.Provider value={live}>{children}</LiveContext.Provider>;
}

/** The live connection of the signed-in member; null when nobody is signed in. */
export const useLive = (): Live | null => useContext(LiveContext);

export interface Realtime {
  readonly status: ConnectionStatus;
  /** False if nothing was sent because there is no connection. */
  readonly send: (frame: ClientFrame) => boolean;
  /** Returns the function that stops listening. */
  readonly on: <T extends ServerFrameType>(type: T, handler: FrameHandler<T>) => () => void;
}

const never = (): (() => void) => () => undefined;

export function useRealtime(): Realtime {
  const live = useLive();
  const status = useSyncExternalStore(live?.connection.onStatus ?? never, () => live?.connection.status ?? 'closed');
  return useMemo(
    () => ({
      status,
      send: (frame) => live?.connection.send(frame) ?? false,
      on: (type, handler) => live?.connection.on(type, handler) ?? (() => undefined),
    }),
    [live, status],
  );
}
