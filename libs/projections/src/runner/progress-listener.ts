import type { ChannelListener } from '@app/event-store';
import { PROGRESS_CHANNEL } from '../schema.js';
import type { Progress } from './progress.js';

/** What connections that hear of progress are called: whoever feeds read models looks whether others listen. */
export const LISTENER_NAME = 'nova listen';

/**
 * Hears from other processes how far read models are. While it cannot, whoever waits looks for itself. Resolves once it
 * listens, or could not for now, with how to end it.
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
