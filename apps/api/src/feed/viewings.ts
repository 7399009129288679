import { Injectable } from '@nestjs/common';
import {
  decideViewing,
  decodeEngagementEvent,
  encodeEngagementEvent,
  engagementStream,
  evolveViewing,
  newViewing,
  type PostEvent,
  type Viewer,
  type ViewingCommand,
} from '@app/domain';
import { AppError } from '../platform/errors/app-error.js';
import { DecidedStreams } from '../platform/journal/decided-streams.js';

/** The streams `engagement-{postId}:{viewerId}`. */
@Injectable()
export class Viewings {
  constructor(private readonly streams: DecidedStreams) {}

  /**
   * Does it, once; returns when these read models show it.
   * @throws AppError 409 the viewer changed their mind too often, 503
   */
  async execute(
    viewer: Viewer,
    command: ViewingCommand,
    options: { readonly models: readonly string[]; readonly requestId: string | undefined },
  ): Promise<readonly PostEvent[]> {
    const { models, requestId } = options;
    const stream = engagementStream(viewer.postId, viewer.viewerId);
    const decision = await this.streams.execute(
      {
        stream,
        initial: newViewing,
        evolve: evolveViewing,
        decode: (type, data) => decodeEngagementEvent(type, data) as PostEvent,
        encode: encodeEngagementEvent,
      },
      (state, nowMs) => decideViewing(state, command, { viewer, nowMs }),
      { actor: `member:${viewer.viewerId}`, correlationId: requestId },
    );
    if ('rejection' in decision) throw new AppError(409, decision.rejection.code, decision.rejection.message);
    if (models.length > 0) await this.streams.caughtUp(models, stream);
    return decision.events;
  }
}
