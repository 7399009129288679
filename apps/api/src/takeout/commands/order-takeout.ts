import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { SecurityNotices } from '../../identity/security-notices.js';
import type { SignedInMember } from '../../platform/auth/member.js';
import type { TakeoutDto } from '../takeout.dto.js';
import { Takeouts } from '../takeouts.js';

export class OrderTakeout extends Command<TakeoutDto> {
  constructor(readonly member: SignedInMember) {
    super();
  }
}

/** `POST /api/takeout` (rule accounts-26). The member's other devices are told. */
@CommandHandler(OrderTakeout)
export class OrderTakeoutHandler implements ICommandHandler<OrderTakeout> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly takeouts: Takeouts,
    private readonly notices: SecurityNotices,
  ) {}

  /** @throws AppError 429 too many in 24 hours */
  execute({ member: { id, deviceId } }: OrderTakeout): Promise<TakeoutDto> {
    return this.dataSource.transaction(async (manager) => {
      const { takeout, isNew } = await this.takeouts.order(manager, id);
      if (isNew) await this.notices.tell(id, { kind: 'takeout_ordered', deviceId }, manager);
      return takeout;
    });
  }
}
