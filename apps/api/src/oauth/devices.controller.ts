import { Body, Controller, HttpCode, Ip, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MessageResponse } from '../identity/message.dto.js';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { DecideDevice } from './commands/decide-device.js';
import { DeviceCodeDto, DeviceDecisionDto, DeviceRequestDto } from './device.dto.js';
import { DeviceCodes, shownCode } from './device-codes.js';

/** Devices without a browser that a member lets sign in (RFC 8628). */
@ApiTags('OAuth: members')
@NeedsSession()
@ApiNotFoundResponse({ description: 'No device shows this code: it never was one, was used, or has expired.' })
@Controller('api/oauth/device')
export class OAuthDevicesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly codes: DeviceCodes,
  ) {}

  @ApiOperation({ summary: 'The application on the device that shows this code; wrong codes are counted' })
  @ApiOkResponse({ type: DeviceRequestDto })
  @HttpCode(200)
  @Post()
  async find(
    @CurrentUser() { id: memberId }: SignedInMember,
    @Ip() address: string,
    @Body() { user_code: userCode }: DeviceCodeDto,
  ): Promise<DeviceRequestDto> {
    const { clientId, scopes } = await this.codes.find(userCode, { memberId, address });
    return { user_code: shownCode(userCode), client_id: clientId, scopes: [...scopes] };
  }

  @ApiOperation({ summary: 'Let the device sign in, or refuse it' })
  @ApiOkResponse({ type: MessageResponse })
  @HttpCode(200)
  @Post('decision')
  decide(
    @CurrentUser() member: SignedInMember,
    @Ip() address: string,
    @Body() decision: DeviceDecisionDto,
  ): Promise<MessageResponse> {
    return this.commands.execute(new DecideDevice(member, address, decision));
  }
}
