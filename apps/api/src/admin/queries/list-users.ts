import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { AdminUsersDto } from '../admin.dto.js';
import { AdminUsers } from '../admin-users.js';
import { Limit, offsetOf, PageDto, paginationOf, Search } from '../page.dto.js';

/** S1 §9 Admin paging: 10 users a page. */
export class AdminUsersQueryDto extends PageDto {
  @Search()
  search?: string;

  @Limit()
  limit: number = 10;
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
    const { users, total } = await this.users.list({ search: page.search, limit: page.limit, offset: offsetOf(page) });
    return { users, pagination: paginationOf(page, total) };
  }
}
