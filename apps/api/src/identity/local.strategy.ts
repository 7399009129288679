import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Strategy } from 'passport-local';
import { BrowserCookies } from './cookies.js';
import { Credentials } from './credentials.js';
import type { Account } from './entities.js';

/** Passport strategy `local`: e-mail and password. */
@Injectable()
export class LocalStrategy extends PassportStrategy(Strategy, 'local') {
  constructor(
    private readonly credentials: Credentials,
    private readonly cookies: BrowserCookies,
  ) {
    super({ usernameField: 'email', passwordField: 'password', passReqToCallback: true });
  }

  async validate(request: FastifyRequest, email: string, password: string): Promise<Account> {
    const account = await this.credentials.verify({ email, password, ...this.cookies.caller(request) });
    request.provenMember = account.id;
    return account;
  }
}
