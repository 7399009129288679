import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ENGAGEMENT_POINTS } from '@app/domain';
import type { OpenLedger } from '../../platform/ledger/open-ledger.js';
import { OPEN_LEDGER } from '../../platform/ledger/injected-ledger.js';
import type { EngagementEventDto } from '../feed-requests.dto.js';
import type { ScoreDto } from '../post.dto.js';
import { PostOwners } from '../post-owners.js';
import { StatusBar } from '../queries/status-bar.js';
import { Viewings } from '../viewings.js';

export class Engage extends Command<ScoreDto> {
  constructor(
    readonly viewerId: string,
    readonly event: EngagementEventDto,
    readonly requestId: string | undefined,
  ) {
    super();
  }
}

/** `POST /api/events`: counts what a viewer does with somebody else's post, each kind once. */
@CommandHandler(Engage)
export class EngageHandler implements ICommandHandler<Engage> {
  constructor(
    private readonly owners: PostOwners,
    private readonly viewings: Viewings,
    private readonly statusBar: StatusBar,
    @Inject(OPEN_LEDGER) private readonly ledger: Pick<OpenLedger, 'clock'>,
  ) {}

  /** @throws AppError 404 `POST_NOT_FOUND` */
  async execute({ viewerId, event: { postId, eventType: kind }, requestId }: Engage): Promise<ScoreDto> {
    const viewer = await this.owners.viewer(viewerId, postId);
    let score = 0;
    if (viewer.authorId !== viewerId) {
      const models = ENGAGEMENT_POINTS[kind] > 0 ? ['engagement', 'posts'] : [];
      const [counted] = await this.viewings.execute(viewer, { type: 'Engage', kind }, { models, requestId });
      if (counted?.type === 'PostEngaged') score = counted.points;
    }
    const { dailyPoints } = await this.statusBar.of(viewerId, this.ledger.clock.now());
    return { score, dailyPoints };
  }
}
