import { Body, Controller, Get, HttpCode, Ip, Post, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { NeedsSession, Public } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { VisitorTurnsGuard } from '../platform/rate-limit/turns.js';
import { ConfirmAddress, ConfirmAddressDto } from './commands/confirm-address.js';
import { RequestReset, RequestResetDto } from './commands/request-reset.js';
import { RequestVerification } from './commands/request-verification.js';
import { ResetByMail, ResetByMailDto } from './commands/reset-by-mail.js';
import { Mailer } from './mail/mailer.js';
import { AuthFeaturesResponse, MessageResponse } from './message.dto.js';

/** Links that are sent by mail: they prove an address, or set a new password. */
@ApiTags('Identity')
@Controller('api/auth')
export class MailController {
  constructor(
    private readonly commands: CommandBus,
    private readonly mailer: Mailer,
  ) {}

  /** What this installation offers around signing in. */
  @Get('features')
  @Public()
  features(): AuthFeaturesResponse {
    return { mail: this.mailer.isSetUp };
  }

  /** Sends a link that confirms one's own address; 409 `MAIL_NOT_SET_UP`, `EMAIL_VERIFIED`. */
  @Post('verification')
  @HttpCode(200)
  @NeedsSession()
  async requestVerification(@CurrentUser() member: SignedInMember): Promise<MessageResponse> {
    await this.commands.execute(new RequestVerification(member.id));
    return { message: 'A mail is on its way to you. Open its link to confirm your address.' };
  }

  /** Confirms one's own address by the token of the link; 400 `INVALID_LINK`. */
  @Post('verification/confirm')
  @HttpCode(200)
  @NeedsSession()
  async confirm(@CurrentUser() member: SignedInMember, @Body() dto: ConfirmAddressDto): Promise<MessageResponse> {
    await this.commands.execute(new ConfirmAddress(member.id, dto.token));
    return { message: 'Your email address is confirmed.' };
  }

  /** Sends a link that sets a new password, where the address is confirmed; the answer is the same where it is not. */
  @Post('reset-request')
  @HttpCode(200)
  @Public()
  @UseGuards(VisitorTurnsGuard)
  async requestReset(@Body() dto: RequestResetDto, @Ip() address: string): Promise<MessageResponse> {
    await this.commands.execute(new RequestReset(dto.email, address));
    return { message: 'If an account has confirmed this address, a mail with a link is on its way to it.' };
  }

  /** Sets a new password by the token of the link, and signs out everywhere; 400 `INVALID_LINK`. */
  @Post('reset')
  @HttpCode(200)
  @Public()
  @UseGuards(VisitorTurnsGuard)
  async reset(@Body() dto: ResetByMailDto, @Ip() address: string): Promise<MessageResponse> {
    await this.commands.execute(new ResetByMail(dto, address));
    return { message: 'Your password has been changed. You can sign in with it now.' };
  }
}
