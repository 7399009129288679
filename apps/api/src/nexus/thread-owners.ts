import { Injectable } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, IsUUID } from 'class-validator';
import { MemberDirectory } from '../identity/member-directory.js';
import { MemberRelations } from '../members/member-relations.js';
import { notFound } from '../platform/errors/app-error.js';

/** Whose chain is looked at. */
export class ThreadOwnerDto {
  @ApiPropertyOptional({ format: 'uuid', description: 'Oneself when it is left out.' })
  @IsUUID(undefined, { message: 'The owner’s id must be the id of a member.', context: { code: 'INVALID_OWNER_ID' } })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value))
  @IsOptional()
  ownerId?: string;
}

@Injectable()
export class ThreadOwners {
  constructor(
    private readonly directory: MemberDirectory,
    private readonly relations: MemberRelations,
  ) {}

  /** @throws AppError 404 `NOT_FOUND` no member has this id, or no longer, or the member has blocked the viewer */
  async require(ownerId: string, viewerId: string): Promise<void> {
    const owner = await this.directory.get(ownerId);
    if (!owner || owner.closed || (await this.relations.isHidden(ownerId, viewerId))) throw notFound('This member');
  }
}
