import { Body, Controller, Header, HttpCode, Ip, Post, Req, Res, UseGuards } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BrowserCookies } from '../identity/cookies.js';
import { CurrentUserResponse } from '../identity/current-user.dto.js';
import { GetCurrentUser } from '../identity/queries/get-current-user.js';
import { asToken, newToken } from '../identity/random-token.js';
import { Public } from '../platform/auth/access.js';
import { cookieOptions } from '../platform/auth/cookies.js';
import { type Config, InjectConfig } from '../platform/config.js';
import { networkOf } from '../platform/http/network.js';
import { RateLimits } from '../platform/rate-limit/rate-limits.js';
import { VisitorTurnsGuard } from '../platform/rate-limit/turns.js';
import { PasskeySignInDto, SignInByPasskey } from './commands/sign-in-by-passkey.js';
import { CHALLENGE_MS } from './limits.js';
import { Passkeys } from './passkeys.js';
import { passkeySignInRefused } from './refusals.js';

/** Signing in by a passkey, without a session. */
@Public()
@UseGuards(VisitorTurnsGuard)
@ApiTags('Identity: passkeys')
@Controller('api/auth/passkeys/sign-in')
export class PasskeySignInController {
  private readonly cookie: string;

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly cookies: BrowserCookies,
    private readonly passkeys: Passkeys,
    private readonly limits: RateLimits,
    @InjectConfig() private readonly config: Config,
  ) {
    this.cookie = config.publicUrl.startsWith('https:') ? '__Host-nova_passkey' : 'nova_passkey';
  }

  /** What the browser asks its devices by: the same for everybody, so that it says of nobody whether they have an account. */
  @Post('options')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOkResponse({
    schema: { type: 'object', additionalProperties: true },
    description: '`PublicKeyCredentialRequestOptionsJSON` of WebAuthn.',
  })
  async options(
    @Ip() address: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    this.limits.passkeyRequests.take(networkOf(address));
    const holder = asToken(request.cookies[this.cookie]) ?? newToken();
    const options = await this.passkeys.requestOptions({ purpose: 'sign-in', holder });
    void reply.setCookie(this.cookie, holder, cookieOptions(this.config, CHALLENGE_MS / 1000));
    return options;
  }

  /** Signs in; 403 `DEVICE_LIMIT` with `requiresDeviceManagement` on an eleventh device. */
  @Post()
  @HttpCode(200)
  async signIn(
    @Body() { answer }: PasskeySignInDto,
    @Ip() address: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CurrentUserResponse> {
    this.limits.passkeyRequests.take(networkOf(address));
    const holder = asToken(request.cookies[this.cookie]);
    if (holder === undefined) throw passkeySignInRefused();
    const [browser, token] = [this.cookies.browser(request), this.cookies.sessionToken(request)];
    const signedIn = await this.commands.execute(new SignInByPasskey(answer, holder, browser, token));
    request.provenMember = signedIn.accountId;
    this.cookies.set(reply, signedIn.browser);
    return { user: await this.queries.execute(new GetCurrentUser(signedIn.accountId)) };
  }
}
