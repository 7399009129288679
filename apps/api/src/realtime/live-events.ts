import { setTimeout as pause } from 'node:timers/promises';
import { CHAT_STREAM_PREFIX, type ChatEvent, decodeChatEvent } from '@app/domain';
import { type EventStore, lastPosition, type RecordedEvent, upcast } from '@app/event-store';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ChatTexts } from '../chats/chat-texts.js';
import { MemberDirectory } from '../identity/member-directory.js';
import { InjectEventStore } from '../platform/journal/journal.module.js';
import { announcementsOf, newMessage } from './chat-announcements.js';
import { JoinedChats } from './joined-chats.js';
import { LiveSockets } from './live-sockets.js';

const RETRY_MS = 500;

interface FollowerOptions {
  readonly store: EventStore;
  readonly streamPrefixes: readonly string[];
  /** Handles a batch before the next one is read. If it fails, it gets the same batch again. */
  readonly take: (batch: readonly RecordedEvent[]) => Promise<void>;
  readonly logger: Logger;
}

/**
 * Follows streams for this process's sockets. Each process follows for itself, from where the streams end when it
 * starts.
 */
class Follower {
  private readonly stopped = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: FollowerOptions) {}

  async start(): Promise<void> {
    this.running = this.follow(await lastPosition(this.options.store));
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  private async follow(from: bigint | undefined): Promise<void> {
    const { store, streamPrefixes, take, logger } = this.options;
    const { signal } = this.stopped;
    for (let after = from; !signal.aborted;) {
      try {
        const options = { streamPrefixes, signal, ...(after !== undefined && { after }) };
        for await (const batch of store.subscribeAll(options)) {
          await take(batch);
          after = batch.at(-1)?.position ?? after;
        }
      } catch (error) {
        if (!signal.aborted) logger.error({ err: error, streamPrefixes }, 'following streams was interrupted');
      }
      if (!signal.aborted) await pause(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Events whose sentence names a member. */
const NAMING = new Set<ChatEvent['type']>(['ChatRequested', 'ChatNudged']);

interface Heard {
  readonly revision: number;
  readonly event: ChatEvent;
}

/**
 * Tells this process's sockets what happens in chats. Reads the global stream alone (rule realtime-5), so it does not
 * matter which process took a command.
 */
@Injectable()
export class LiveEvents implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(LiveEvents.name);
  private readonly follower: Follower;

  constructor(
    @InjectEventStore() store: EventStore,
    private readonly sockets: LiveSockets,
    private readonly joined: JoinedChats,
    private readonly texts: ChatTexts,
    private readonly directory: MemberDirectory,
  ) {
    this.follower = new Follower({
      store,
      streamPrefixes: [CHAT_STREAM_PREFIX],
      take: (batch) => this.announce(batch),
      logger: this.logger,
    });
  }

  onApplicationBootstrap(): Promise<void> {
    return this.follower.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.follower.stop();
  }

  private async announce(batch: readonly RecordedEvent[]): Promise<void> {
    const heard = batch.flatMap((recorded) => this.heardHere(recorded));
    if (heard.length === 0) return;
    const [texts, names] = await Promise.all([this.textsOf(heard), this.namesOf(heard)]);
    for (const { revision, event } of heard) {
      const { chatId } = event;
      if (event.type === 'ChatMessageSent') {
        const payload = newMessage(event, texts.get(event.messageId));
        for (const memberId of [event.initiatorId, event.hostId]) {
          for (const socket of this.sockets.hearing(memberId, chatId)) {
            this.joined.tell(socket, chatId, { revision, payload });
          }
        }
      }
      for (const { to, type, payload } of announcementsOf(event, (id) => names.get(id) ?? 'Somebody')) {
        for (const memberId of to) this.sockets.tell(memberId, chatId, type, payload);
      }
    }
  }

  /** The event, if it concerns anybody connected here. */
  private heardHere({ type, data, revision, stream }: RecordedEvent): Heard[] {
    try {
      const event = decodeChatEvent(type, upcast(type, data));
      return this.sockets.has(event.initiatorId) || this.sockets.has(event.hostId) ? [{ revision, event }] : [];
    } catch (error) {
      // The event may be of a newer version. Lists and pages still show what sockets are not told.
      this.logger.error({ err: error, stream, revision, type }, 'an event of a chat could not be read');
      return [];
    }
  }

  private textsOf(heard: readonly Heard[]) {
    return this.texts.find(heard.flatMap(({ event }) => (event.type === 'ChatMessageSent' ? [event.messageId] : [])));
  }

  private async namesOf(heard: readonly Heard[]): Promise<ReadonlyMap<string, string>> {
    const ids = heard.flatMap(({ event }) => (NAMING.has(event.type) ? [event.initiatorId, event.hostId] : []));
    if (ids.length === 0) return new Map();
    const members = await this.directory.find(ids);
    return new Map([...members].map(([id, { displayName }]) => [id, displayName]));
  }
}
