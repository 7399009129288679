import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Projections, readModels } from '@app/projections';
import { notFound } from '../../platform/errors/app-error.js';
import { Moderation } from '../moderation.js';
import type { RebuildRequestedDto } from './read-models.dto.js';

export class OrderRebuild extends Command<RebuildRequestedDto> {
  constructor(
    readonly adminId: string,
    /** Of the read model. */
    readonly name: string,
    readonly requestId: string,
  ) {
    super();
  }
}

/** Has a read model made anew beside the live one. */
@CommandHandler(OrderRebuild)
export class OrderRebuildHandler implements ICommandHandler<OrderRebuild> {
  constructor(
    private readonly projections: Projections,
    private readonly moderation: Moderation,
  ) {}

  /** @throws AppError 404 there is no such read model, 503 */
  async execute({ adminId, name, requestId }: OrderRebuild): Promise<RebuildRequestedDto> {
    if (!readModels.some((model) => model.name === name)) throw notFound('This read model');
    const act = { type: 'ReadModelRebuildOrdered', adminId, targetId: name, subjectId: null, reasonId: null } as const;
    await this.moderation.record(act, requestId);
    await this.projections.requestRebuild(name);
    return { message: 'The rebuild begins within seconds. Members do not notice it.' };
  }
}
