import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AdminOnly, NeedsSession } from '../../platform/auth/access.js';
import { AuditDto, AuditQueryDto } from './audit.dto.js';
import { Audit } from './audit.js';

/** Who did what, to whom, when and why. */
@ApiTags('Admin')
@NeedsSession()
@AdminOnly()
@Controller('api/admin/audit')
export class AuditController {
  constructor(private readonly audit: Audit) {}

  @ApiOperation({ summary: 'Everything that admins did, newest first' })
  @ApiOkResponse({ type: AuditDto })
  @Get()
  list(@Query() query: AuditQueryDto): Promise<AuditDto> {
    return this.audit.page(query);
  }
}
