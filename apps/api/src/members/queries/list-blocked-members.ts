import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { DELETED_MEMBER, MemberDirectory } from '../../identity/member-directory.js';
import { CursorPageDto } from '../../wallet/paging.dto.js';
import { MemberRelations } from '../member-relations.js';

export class BlockedMembersQueryDto extends CursorPageDto {}

export class BlockedMember {
  id: string;
  displayName: string;
  profileImageUrl: string | null;
  blockedAt: string;
}

export class BlockedMembersResponse {
  /** The last blocked first. */
  members: BlockedMember[];
  /** Send it back as `cursor` for the next page. */
  nextCursor: string | null;
}

export class ListBlockedMembers extends Query<BlockedMembersResponse> {
  constructor(
    readonly memberId: string,
    readonly page: BlockedMembersQueryDto,
  ) {
    super();
  }
}

/** `GET /api/users/blocked`: the members whom a member has blocked. Nobody learns who has blocked them. */
@QueryHandler(ListBlockedMembers)
export class ListBlockedMembersHandler implements IQueryHandler<ListBlockedMembers> {
  constructor(
    private readonly relations: MemberRelations,
    private readonly directory: MemberDirectory,
  ) {}

  /** @throws AppError 400 `INVALID_CURSOR` */
  async execute({ memberId, page }: ListBlockedMembers): Promise<BlockedMembersResponse> {
    const { blocked, nextCursor } = await this.relations.blocked(memberId, page);
    const members = await this.directory.find(blocked.map(({ otherId }) => otherId));
    return {
      members: blocked.map(({ otherId, since }) => ({
        id: otherId,
        displayName: members.get(otherId)?.displayName ?? DELETED_MEMBER,
        profileImageUrl: members.get(otherId)?.profileImageUrl ?? null,
        blockedAt: since.toISOString(),
      })),
      nextCursor,
    };
  }
}
