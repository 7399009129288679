import { type Channel, ChannelListener } from '@app/event-store';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { LiveSockets } from '../realtime/live-sockets.js';
import { PacedNotices } from '../realtime/paced-notices.js';
import { NOTICES_TOLD_EVERY_MS } from './limits.js';
import { NOTICES_CHANNEL } from './notices.js';

/** Tells the sockets of this process whose notices changed, in whichever process (rule notices-3). */
@Injectable()
export class NoticeAnnouncer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly paced = new PacedNotices(NOTICES_TOLD_EVERY_MS, (id) =>
    this.sockets.tellEverywhere(id, 'notices_changed', {}),
  );
  private readonly channel: Channel = {
    name: NOTICES_CHANNEL,
    heard: (ids) => {
      for (const id of ids.split(',')) if (this.sockets.has(id)) this.paced.notify(id);
    },
  };

  constructor(
    private readonly listener: ChannelListener,
    private readonly sockets: LiveSockets,
  ) {}

  onApplicationBootstrap(): void {
    void this.listener.listen(this.channel);
  }

  onApplicationShutdown(): void {
    this.listener.forget(this.channel);
  }
}
