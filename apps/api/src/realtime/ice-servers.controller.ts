import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsSession } from '../platform/auth/access.js';
import { type Config, InjectConfig } from '../platform/config.js';
import { CarriesSecret } from '../platform/http/compressed.js';
import { IceServersDto } from './ice-servers.dto.js';

/** What two browsers need to find each other for a video chat (rule chats-20). */
@ApiTags('Realtime')
@NeedsSession()
@Controller('api/realtime')
export class IceServersController {
  constructor(@InjectConfig() private readonly config: Config) {}

  @ApiOperation({ summary: 'STUN and TURN servers for video chats; none unless configured' })
  @ApiOkResponse({ type: IceServersDto })
  @Get('ice-servers')
  @CarriesSecret()
  iceServers(): IceServersDto {
    return { iceServers: this.config.iceServers.map(({ urls, ...rest }) => ({ urls: [...urls], ...rest })) };
  }
}
