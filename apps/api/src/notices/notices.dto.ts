import { ApiProperty } from '@nestjs/swagger';
import { IsUUID, ValidateIf } from 'class-validator';
import { NOTICE_KINDS, type NoticeKind } from './notice.js';

export class NoticeDto {
  id: string;
  /** What happened. There may be more kinds later. */
  @ApiProperty({ enum: NOTICE_KINDS })
  kind: NoticeKind;
  title: string;
  /** A sentence for people. */
  text: string;
  /** The page of the client that it leads to. */
  path: string;
  /** ISO 8601. */
  createdAt: string;
  /** On any of the member's devices. */
  isRead: boolean;
}

export class NoticesResponse {
  /** Newest first, at most 100. */
  notices: NoticeDto[];
}

export class UnreadNoticesResponse {
  unread: number;
}

export class MarkNoticesReadDto {
  /** The newest notice that was shown; it and older ones count as read. May be left out with a chat. */
  @ValidateIf(({ newestId, chatId }: MarkNoticesReadDto) => newestId !== undefined || chatId === undefined)
  @IsUUID(undefined, { message: 'Please say which notice was read.', context: { code: 'INVALID_NOTICE' } })
  newestId?: string;

  /** A chat that the member looks at: only its notices count as read. */
  @ValidateIf(({ chatId }: MarkNoticesReadDto) => chatId !== undefined)
  @IsUUID(undefined, { message: 'Please say which chat was seen.', context: { code: 'INVALID_NOTICE' } })
  chatId?: string;
}
