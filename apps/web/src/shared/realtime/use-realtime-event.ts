import { useEffect, useEffectEvent, useRef } from 'react';
import type { FrameHandler, ServerFrameType } from './frames';
import { useLive } from './realtime-provider';

/** Calls the newest `handler` for every frame of a type while the component is mounted. */
export function useRealtimeEvent<T extends ServerFrameType>(type: T, handler: FrameHandler<T>): void {
  const live = useLive();
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  useEffect(() => live?.connection.on(type, (frame) => latest.current(frame)), [live, type]);
}

/**
 * Calls the newest `handler` with the server's sentence for every message that fails while the component is mounted.
 */
export function useFailedMessage(handler: (sentence: string) => void): void {
  const rooms = useLive()?.rooms;
  const tell = useEffectEvent(handler);
  useEffect(() => rooms?.onFailed((sentence) => tell(sentence)), [rooms]);
}
