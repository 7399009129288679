import { Body, Controller, Get, Header, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NeedsSession, Public } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { VisitorTurnsGuard } from '../platform/rate-limit/turns.js';
import { AdminWordDto, BecomeAdmin } from './commands/become-admin.js';
import { ChangedPasswordResponse, ChangePassword, ChangePasswordDto } from './commands/change-password.js';
import { RecoverDto, RecoverPassword } from './commands/recover-password.js';
import { RegisterDto, RegisterMember } from './commands/register-member.js';
import { SignIn } from './commands/sign-in.js';
import { SignOut } from './commands/sign-out.js';
import { BrowserCookies } from './cookies.js';
import { SignInDto } from './credentials.dto.js';
import { CurrentUserResponse } from './current-user.dto.js';
import type { Account } from './entities.js';
import { MessageResponse } from './message.dto.js';
import { GetCurrentUser } from './queries/get-current-user.js';
import { ProvenAccount, SignInGuard } from './sign-in.guard.js';

@ApiTags('Identity')
@Controller('api/auth')
export class AuthController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly cookies: BrowserCookies,
  ) {}

  /** The signed-in member. */
  @Get('user')
  @NeedsSession()
  @Header('cache-control', 'no-store')
  async currentUser(
    @CurrentUser() member: SignedInMember,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CurrentUserResponse> {
    this.cookies.renew(request, reply, member);
    return { user: await this.queries.execute(new GetCurrentUser(member.id)) };
  }

  /** Makes an account and signs in. */
  @Post('register')
  @Public()
  @UseGuards(VisitorTurnsGuard)
  async register(
    @Body() dto: RegisterDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CurrentUserResponse> {
    const browser = this.cookies.browser(request);
    const registered = await this.commands.execute(
      new RegisterMember(dto, browser, { ip: request.ip, isCounted: !request.hasDemoWord }),
    );
    request.provenMember = registered.account.id;
    this.cookies.set(reply, registered.browser);
    return { user: await this.queries.execute(new GetCurrentUser(registered.account.id)) };
  }

  /** Signs in; 403 `DEVICE_LIMIT` with `requiresDeviceManagement` on an eleventh device. */
  @Post('signin')
  @HttpCode(200)
  @Public()
  @UseGuards(VisitorTurnsGuard, SignInGuard)
  @ApiBody({ type: SignInDto })
  async signIn(
    @ProvenAccount() account: Account,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CurrentUserResponse> {
    const signIn = new SignIn(account, this.cookies.browser(request), this.cookies.sessionToken(request));
    this.cookies.set(reply, await this.commands.execute(signIn));
    return { user: await this.queries.execute(new GetCurrentUser(account.id)) };
  }

  /** Ends the session; without one there is nothing to end, and that is no error. */
  @Post('signout')
  @HttpCode(200)
  @Public()
  async signOut(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MessageResponse> {
    const token = this.cookies.sessionToken(request);
    if (token !== undefined) await this.commands.execute(new SignOut(token));
    this.cookies.clearSession(reply);
    return { message: 'Signed out' };
  }

  /** Sets a new password by the recovery PIN. */
  @Post('recover')
  @HttpCode(200)
  @Public()
  @UseGuards(VisitorTurnsGuard)
  async recover(@Body() dto: RecoverDto, @Req() request: FastifyRequest): Promise<MessageResponse> {
    await this.commands.execute(new RecoverPassword(dto, this.cookies.caller(request)));
    return { message: 'Your password has been changed. You can sign in with it now.' };
  }

  /**
   * Sets a new password by the current one, signs out everywhere else, and ends consents to spend; 403 `WRONG_PASSWORD`.
   */
  @Post('password')
  @HttpCode(200)
  @NeedsSession()
  async changePassword(
    @CurrentUser() member: SignedInMember,
    @Body() dto: ChangePasswordDto,
  ): Promise<ChangedPasswordResponse> {
    const { applications } = await this.commands.execute(new ChangePassword(member, dto));
    const changed = 'Your password has been changed. Your other devices have been signed out.';
    const ended =
      applications.length > 0 ? ` These applications can no longer spend your Nova: ${applications.join(', ')}.` : '';
    return { message: changed + ended, revokedApplications: [...applications] };
  }

  /** Makes the account that the server's operator chose an admin, by a one-time word; 403 `WRONG_WORD`. */
  @Post('admin-word')
  @HttpCode(200)
  @NeedsSession()
  async becomeAdmin(
    @CurrentUser() { id }: SignedInMember,
    @Body() { word }: AdminWordDto,
  ): Promise<CurrentUserResponse> {
    await this.commands.execute(new BecomeAdmin(id, word));
    return { user: await this.queries.execute(new GetCurrentUser(id)) };
  }
}
