import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { Limit } from '../../wallet/paging.dto.js';
import { PaginationDto } from '../admin.dto.js';
import { PageDto } from '../page.dto.js';

const STATUSES = ['open', 'closed', 'all'] as const;

/** `GET /api/admin/reports`. */
export class ReportsQueryDto extends PageDto {
  @Limit()
  limit: number = 20;

  @ApiPropertyOptional({ enum: STATUSES, default: 'open' })
  @IsIn(STATUSES, { message: 'status must be open, closed or all.' })
  @IsOptional()
  status: (typeof STATUSES)[number] = 'open';
}

export class ReportPartyDto {
  id: string;
  displayName: string;
  profileImageUrl: string | null;
}

/** What a member told the admins about another (rule members-4). */
export class ReportDto {
  id: string;
  reporter: ReportPartyDto;
  reported: ReportPartyDto;
  /** In the reporter's words. */
  text: string;
  chatId: string | null;
  createdAt: string;
  closedAt: string | null;
}

export class ReportsDto {
  reports: ReportDto[];
  pagination: PaginationDto;
}
