import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { AdminOnly, NeedsSession } from '../../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../../platform/auth/member.js';
import { RequestId } from '../../platform/http/request-id.js';
import { MayWait, type WaitingActDto } from '../approvals/approvals.dto.js';
import { PreviewReversal } from './preview-reversal.js';
import { ReverseMovement } from './reverse-movement.js';
import { ReversalPreviewDto, ReversedMovementDto, ReverseMovementDto } from './reversals.dto.js';

/** Movements that admins take back (rule ledger-38). */
@ApiTags('Admin')
@NeedsSession()
@AdminOnly()
@Controller('api/admin/events/:id')
export class ReversalsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @ApiOperation({ summary: 'What a reversal would return now, from whom, and what it could not' })
  @ApiOkResponse({ type: ReversalPreviewDto })
  @ApiNotFoundResponse({ description: 'There is no such event.' })
  @ApiConflictResponse({ description: 'A movement of this kind cannot be reversed.' })
  @Get('reversal')
  preview(@CurrentUser() { id: adminId }: SignedInMember, @Param('id') id: string): Promise<ReversalPreviewDto> {
    return this.queries.execute(new PreviewReversal(id, adminId));
  }

  @ApiOperation({ summary: "Reverse a gift, a grant, a deduction or an application's movement, once" })
  @ApiCreatedResponse({ type: ReversedMovementDto })
  @ApiNotFoundResponse({ description: 'There is no such event.' })
  @ApiConflictResponse({ description: 'It cannot be reversed, not in full, or not again.' })
  @MayWait()
  @Post('reverse')
  reverse(
    @CurrentUser() { id: adminId }: SignedInMember,
    @Param('id') id: string,
    @Body() { reason, partly = false }: ReverseMovementDto,
    @RequestId() requestId: string,
  ): Promise<ReversedMovementDto | WaitingActDto> {
    return this.commands.execute(new ReverseMovement(id, { adminId, reason, partly, requestId }));
  }
}
