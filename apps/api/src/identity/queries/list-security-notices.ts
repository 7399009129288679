import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { NoticeKind } from '../security-notice.js';
import { type NoticeReader, SecurityNotices } from '../security-notices.js';

export class SecurityNoticeDto {
  id: string;
  /** What happened: `new_device`, `recovered`, `password_changed`, `pin_changed` and others, of which there may be more later. */
  kind: NoticeKind;
  /** A sentence for people. */
  message: string;
  /** ISO 8601. */
  createdAt: string;
  /** Not seen on this device yet. */
  isUnseen: boolean;
}

export class SecurityNoticesResponse {
  /** Newest first, at most 50. */
  notices: SecurityNoticeDto[];
}

/** What the signed-in member is told about the safety of their account. */
export class ListSecurityNotices extends Query<SecurityNoticesResponse> {
  constructor(readonly reader: NoticeReader) {
    super();
  }
}

@QueryHandler(ListSecurityNotices)
export class ListSecurityNoticesHandler implements IQueryHandler<ListSecurityNotices> {
  constructor(private readonly securityNotices: SecurityNotices) {}

  async execute({ reader }: ListSecurityNotices): Promise<SecurityNoticesResponse> {
    const notices = await this.securityNotices.list(reader);
    return { notices: notices.map((notice) => ({ ...notice, createdAt: notice.createdAt.toISOString() })) };
  }
}
