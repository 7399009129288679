import { hasPrefix } from '../stream-prefixes.js';
import { Wakeups } from '../wakeups.js';
import type { Channel, ChannelListener } from './channel-listener.js';

const ANY_STREAM = '';

/** Listens for appends of any process, and wakes the subscriptions that they may concern. */
export class AppendListener {
  readonly #listener: ChannelListener;
  readonly #subscriptions = new Map<Wakeups, readonly string[] | undefined>();
  readonly #channel: Channel = {
    name: 'journal',
    heard: (streams) => this.#wake(streams),
    began: () => this.#wake(ANY_STREAM),
  };
  #hasBegun = false;

  constructor(listener: ChannelListener) {
    this.#listener = listener;
  }

  /** While false, subscriptions only poll. */
  get isListening(): boolean {
    return this.#listener.isListeningTo(this.#channel);
  }

  /** What wakes a subscription to streams with these prefixes, until `unsubscribe`. The first one begins to listen. */
  subscribe(streamPrefixes: readonly string[] | undefined): Wakeups {
    const wakeups = new Wakeups();
    this.#subscriptions.set(wakeups, streamPrefixes);
    if (!this.#hasBegun) void this.#listener.listen(this.#channel);
    this.#hasBegun = true;
    return wakeups;
  }

  unsubscribe(wakeups: Wakeups): void {
    this.#subscriptions.delete(wakeups);
  }

  close(): void {
    this.#listener.forget(this.#channel);
  }

  /** @param appended names of streams, one a line */
  #wake(appended: string): void {
    const streams = appended.split('\n');
    for (const [wakeups, prefixes] of this.#subscriptions) {
      if (appended === ANY_STREAM || streams.some((stream) => hasPrefix(stream, prefixes))) wakeups.wake();
    }
  }
}
