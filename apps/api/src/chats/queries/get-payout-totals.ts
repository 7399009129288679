import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { PaidMonth } from '@app/projections';
import { toNova } from '../../wallet/nova-amount.js';
import { ChatReadModels } from '../chat-read-models.js';
import type { PayoutTotalsDto } from '../chats.dto.js';

export class GetPayoutTotals extends Query<PayoutTotalsDto> {
  constructor(readonly memberId: string) {
    super();
  }
}

/** `GET /api/chats/completed-history/totals` (rule wallet-25). */
@QueryHandler(GetPayoutTotals)
export class GetPayoutTotalsHandler implements IQueryHandler<GetPayoutTotals> {
  constructor(private readonly readModels: ChatReadModels) {}

  async execute({ memberId }: GetPayoutTotals): Promise<PayoutTotalsDto> {
    const months = await this.readModels.chats.paidMonths(memberId);
    const sum = (figure: 'chats' | 'hosted' | 'influence') => months.reduce((total, month) => total + month[figure], 0);
    return {
      chats: sum('chats'),
      hostedChats: sum('hosted'),
      novaEarned: toNova(months.reduce((total, { novaEarned }) => total + novaEarned, 0n)),
      influencePointsEarned: sum('influence'),
      months: months.map(toMonth),
    };
  }
}

const toMonth = ({ month, chats, novaEarned }: PaidMonth) => ({ month, chats, novaEarned: toNova(novaEarned) });
