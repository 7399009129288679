import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsUUID, Matches } from 'class-validator';
import { EmptyIsAbsent } from '../../platform/text.js';
import { Limit } from '../../wallet/paging.dto.js';
import { PaginationDto } from '../admin.dto.js';
import { PageDto } from '../page.dto.js';

const ACTION = /^[A-Za-z]{1,40}$/;

/** `GET /api/admin/audit`. */
export class AuditQueryDto extends PageDto {
  @Limit()
  limit: number = 20;

  @ApiPropertyOptional({ format: 'uuid' })
  @IsUUID('all', { message: 'adminId is not that of an admin.' })
  @EmptyIsAbsent()
  @IsOptional()
  adminId?: string;

  @ApiPropertyOptional({ format: 'uuid' })
  @IsUUID('all', { message: 'targetId is not that of a member.' })
  @EmptyIsAbsent()
  @IsOptional()
  targetId?: string;

  @ApiPropertyOptional({ description: 'The type of an event.', example: 'PasswordReset' })
  @Matches(ACTION, { message: 'action must be the type of an event.' })
  @EmptyIsAbsent()
  @IsOptional()
  action?: string;
}

/** One thing that an admin did. */
export class AuditEntryDto {
  /** Of the event. */
  id: string;
  adminId: string;
  adminName: string;
  /** The event's type. @example PasswordReset */
  action: string;
  /** The member whom it concerns. */
  targetId: string | null;
  targetName: string | null;
  /** Of a content, a report or a quest. */
  subjectId: string | null;
  /** Nova. */
  amount: number | null;
  rating: number | null;
  /** Null where nothing was said, or the words were erased. */
  reason: string | null;
  createdAt: string;
}

export class AuditDto {
  entries: AuditEntryDto[];
  pagination: PaginationDto;
}
