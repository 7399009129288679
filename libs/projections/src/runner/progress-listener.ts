import type { ChannelListener } from '@app/event-store';
import { PROGRESS_CHANNEL } from '../schema.js';
import type { Progress } from './progress.js';

/** The name of connections that listen for progress: processes that feed read models check whether others listen. */
export const LISTENER_NAME = 'nova listen';

/**
 * Listens to other processes for the progress of read models. While it cannot, waiting callers poll. Resolves with a
 * function that ends it, once it listens or has failed to for now.
 */
export async function hearProgress(listener: ChannelListener, progress: Progress): Promise<() => void> {
  const heard = (payload: string): void => {
    const colon = payload.indexOf(':');
    progress.reached(payload.slice(colon + 1).split(','), { revision: Number(payload.slice(0, colon)) });
  };
  const channel = { name: PROGRESS_CHANNEL, heard };
  await listener.listen(channel);
  return () => listener.forget(channel);
}
