import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Limit } from '../../wallet/paging.dto.js';
import { BlockedEmails, type BlockedEmailsDto } from '../blocked-emails.js';
import { offsetOf, PageDto, paginationOf, Search } from '../page.dto.js';

export class BlockedEmailsQueryDto extends PageDto {
  @Search()
  search?: string;

  @Limit()
  limit: number = 10;
}

export class ListBlockedEmails extends Query<BlockedEmailsDto> {
  constructor(readonly page: BlockedEmailsQueryDto) {
    super();
  }
}

/** `GET /api/admin/blocked-emails`. */
@QueryHandler(ListBlockedEmails)
export class ListBlockedEmailsHandler implements IQueryHandler<ListBlockedEmails> {
  constructor(private readonly blocked: BlockedEmails) {}

  async execute({ page }: ListBlockedEmails): Promise<BlockedEmailsDto> {
    const { search, limit } = page;
    const { blockedEmails, total } = await this.blocked.list({ search, limit, offset: offsetOf(page) });
    return { blockedEmails, pagination: paginationOf(page, total) };
  }
}
