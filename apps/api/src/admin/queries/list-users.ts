import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { Limit } from '../../wallet/paging.dto.js';
import type { AdminUsersDto } from '../admin.dto.js';
import { AdminUsers, SORT_DIRECTIONS, type SortDirection, USER_SORTS, type UserSort } from '../admin-users.js';
import { offsetOf, PageDto, paginationOf, Search } from '../page.dto.js';

/** 10 users a page (rule admin-3). */
export class AdminUsersQueryDto extends PageDto {
  @Search()
  search?: string;

  @Limit()
  limit: number = 10;

  @ApiPropertyOptional({ enum: USER_SORTS, default: 'created' })
  @IsIn(USER_SORTS, { message: `Users are sorted by ${USER_SORTS.join(', ')}.`, context: { code: 'INVALID_SORT' } })
  @IsOptional()
  sort: UserSort = 'created';

  @ApiPropertyOptional({ enum: SORT_DIRECTIONS, default: 'desc' })
  @IsIn(SORT_DIRECTIONS, { message: 'The order must be asc or desc.', context: { code: 'INVALID_SORT' } })
  @IsOptional()
  order: SortDirection = 'desc';
}

export class ListUsers extends Query<AdminUsersDto> {
  constructor(readonly page: AdminUsersQueryDto) {
    super();
  }
}

/** `GET /api/admin/users`. */
@QueryHandler(ListUsers)
export class ListUsersHandler implements IQueryHandler<ListUsers> {
  constructor(private readonly users: AdminUsers) {}

  async execute({ page }: ListUsers): Promise<AdminUsersDto> {
    const { search, limit, sort, order } = page;
    const { users, total } = await this.users.list({ search, limit, offset: offsetOf(page), sort, order });
    return { users, pagination: paginationOf(page, total) };
  }
}
