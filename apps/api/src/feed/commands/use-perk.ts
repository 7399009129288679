import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  decidePerk,
  decodeEngagementEvent,
  encodeEngagementEvent,
  evolvePerks,
  newPerks,
  type PerkEvent,
  perksStream,
} from '@app/domain';
import { AppError } from '../../platform/errors/app-error.js';
import { DecidedStreams } from '../../platform/journal/decided-streams.js';
import type { OpenLedger } from '../../platform/ledger/open-ledger.js';
import { OPEN_LEDGER } from '../../platform/ledger/injected-ledger.js';
import { PostOwners } from '../post-owners.js';
import { StatusBar } from '../queries/status-bar.js';

/** Uses a perk of the day; answers until when it works. */
export class UsePerk extends Command<Date> {
  constructor(
    readonly memberId: string,
    /** Undefined for the priority slot: a boost token is for a post. */
    readonly postId: string | undefined,
    readonly requestId: string,
  ) {
    super();
  }
}

@CommandHandler(UsePerk)
export class UsePerkHandler implements ICommandHandler<UsePerk> {
  constructor(
    private readonly owners: PostOwners,
    private readonly statusBar: StatusBar,
    private readonly streams: DecidedStreams,
    @Inject(OPEN_LEDGER) private readonly ledger: Pick<OpenLedger, 'clock'>,
  ) {}

  /** @throws AppError 404 `POST_NOT_FOUND`, 409 `NOT_YOUR_POST`, `NO_BOOST_TOKEN`, `NO_PRIORITY_SLOT` */
  async execute({ memberId, postId, requestId }: UsePerk): Promise<Date> {
    if (postId !== undefined) await this.expectOwn(memberId, postId);
    const { currentLevel: level } = await this.statusBar.of(memberId, this.ledger.clock.now());
    const stream = perksStream(memberId);
    const decision = await this.streams.execute(
      {
        stream,
        initial: newPerks,
        evolve: evolvePerks,
        decode: (type, data) => decodeEngagementEvent(type, data) as PerkEvent,
        encode: encodeEngagementEvent,
      },
      (state, nowMs) =>
        decidePerk(
          state,
          postId === undefined
            ? { type: 'TakePriority', memberId, level }
            : { type: 'BoostPost', memberId, postId, level },
          nowMs,
        ),
      { actor: `member:${memberId}`, correlationId: requestId },
    );
    if ('rejection' in decision) throw new AppError(409, decision.rejection.code, decision.rejection.message);
    await this.streams.caughtUp(['engagement', 'posts'], stream);
    const [used] = decision.events;
    if (!used) throw new Error('a perk was used without an event');
    return new Date(used.until);
  }

  private async expectOwn(memberId: string, postId: string): Promise<void> {
    const { authorId } = await this.owners.viewer(memberId, postId);
    if (authorId !== memberId) throw new AppError(409, 'NOT_YOUR_POST', 'Only your own posts can be boosted.');
  }
}
