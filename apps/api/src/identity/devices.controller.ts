import { Body, Controller, Delete, Get, Header, HttpCode, Post, Query, Req, UseGuards } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../platform/auth/access.js';
import { IdParam } from '../platform/id-param.js';
import { VisitorTurnsGuard } from '../platform/rate-limit/turns.js';
import { RemoveDevice } from './commands/remove-device.js';
import { BrowserCookies } from './cookies.js';
import { CredentialsDto } from './credentials.dto.js';
import { MessageResponse } from './message.dto.js';
import { DevicesResponse, ListDevices } from './queries/list-devices.js';

/** Devices are managed by those who cannot sign in because of them: by credentials, without a session. */
@Public()
@UseGuards(VisitorTurnsGuard)
@ApiTags('Identity')
@Controller('api/devices')
export class DevicesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly cookies: BrowserCookies,
  ) {}

  /** The devices of an account. The `POST` of the same path keeps the password out of addresses. */
  @Get('by-email')
  @Header('cache-control', 'no-store')
  byEmail(@Query() { email, password }: CredentialsDto, @Req() request: FastifyRequest): Promise<DevicesResponse> {
    return this.queries.execute(new ListDevices({ email, password, ...this.cookies.caller(request) }));
  }

  /** The devices of an account. */
  @Post('by-email')
  @HttpCode(200)
  listByEmail(@Body() { email, password }: CredentialsDto, @Req() request: FastifyRequest): Promise<DevicesResponse> {
    return this.queries.execute(new ListDevices({ email, password, ...this.cookies.caller(request) }));
  }

  /** Removes a device and ends its sessions. */
  @Delete(':id')
  async remove(
    @IdParam('id', 'This device') id: string,
    @Body() { email, password }: CredentialsDto,
    @Req() request: FastifyRequest,
  ): Promise<MessageResponse> {
    await this.commands.execute(new RemoveDevice(id, { email, password, ...this.cookies.caller(request) }));
    return { message: 'The device has been removed successfully.' };
  }
}
