import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { BlockedEmails } from '../../identity/blocked-emails.js';
import { Limit } from '../../wallet/paging.dto.js';
import { PaginationDto } from '../admin.dto.js';
import { offsetOf, PageDto, paginationOf, Search } from '../page.dto.js';

/** An address that cannot be used to register. */
export class BlockedEmailDto {
  @ApiProperty()
  id: string;

  @ApiProperty({ description: 'As the admin typed it.' })
  email: string;

  @ApiProperty({ description: 'The mailbox that it leads to: every other way to write it is blocked too.' })
  mailbox: string;

  @ApiProperty({ type: String, nullable: true })
  reason: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The name of the admin.' })
  blockedBy: string | null;

  @ApiProperty({ format: 'date-time' })
  createdAt: string;
}

/** `GET /api/admin/blocked-emails`. */
export class BlockedEmailsDto {
  @ApiProperty({ type: [BlockedEmailDto] })
  blockedEmails: BlockedEmailDto[];

  @ApiProperty({ type: PaginationDto })
  pagination: PaginationDto;
}

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
