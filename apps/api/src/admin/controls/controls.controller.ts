import { Body, Controller, Get, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBadRequestResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AdminOnly, NeedsSession } from '../../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../../platform/auth/member.js';
import { RequestId } from '../../platform/http/request-id.js';
import { toMinor } from '../../wallet/nova-amount.js';
import { MayWait, type WaitingActDto } from '../approvals/approvals.dto.js';
import { ChangeControls } from './change-controls.js';
import { ChangeControlsDto, ControlsDto } from './controls.dto.js';
import { GetControls } from './get-controls.js';

/** The limits for admins (rules admin-19 to admin-21). */
@ApiTags('Admin')
@NeedsSession()
@AdminOnly()
@Controller('api/admin/controls')
export class ControlsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @ApiOperation({ summary: 'What needs a second admin, and what each admin may grant on a day' })
  @ApiOkResponse({ type: ControlsDto })
  @Get()
  get(): Promise<ControlsDto> {
    return this.queries.execute(new GetControls());
  }

  @ApiOperation({ summary: 'Change these limits: raising one, or taking it away, needs a second admin' })
  @ApiOkResponse({ type: ControlsDto })
  @ApiBadRequestResponse({ description: 'A limit is no amount of Nova.' })
  @MayWait()
  @Put()
  change(
    @CurrentUser() { id: adminId }: SignedInMember,
    @Body() { threshold, dailyCap, reason }: ChangeControlsDto,
    @RequestId() requestId: string,
  ): Promise<ControlsDto | WaitingActDto> {
    const to = { threshold: minorOf(threshold), dailyCap: minorOf(dailyCap) };
    return this.commands.execute(new ChangeControls(to, { adminId, requestId, reason }));
  }
}

const minorOf = (nova: number | null): bigint | null => (nova === null ? null : toMinor(nova));
