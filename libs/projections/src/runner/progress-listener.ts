import { ChannelListener } from '@app/event-store';
import { PROGRESS_CHANNEL } from '../schema.js';

/** What such a connection is called: whoever feeds read models looks whether others listen. */
export const LISTENER_NAME = 'nova projections listen';

/** Hears from other processes how far read models are. While it cannot, whoever waits looks for itself. */
export function listenForProgress(
  connectionString: string,
  onProgress: (names: readonly string[], revision: number) => void,
): ChannelListener {
  const heard = (payload: string): void => {
    const colon = payload.indexOf(':');
    onProgress(payload.slice(colon + 1).split(','), Number(payload.slice(0, colon)));
  };
  return new ChannelListener({ connectionString, application_name: LISTENER_NAME }, { name: PROGRESS_CHANNEL, heard });
}
