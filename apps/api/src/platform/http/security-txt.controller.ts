import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../auth/access.js';
import { type Config, InjectConfig } from '../config.js';
import { AppError } from '../errors/app-error.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** What is read is right as long as the server runs with this setting; the standard advises less than a year. */
const VALID_MS = 180 * DAY_MS;

/** Tells finders of vulnerabilities whom to contact (RFC 9116). */
@Public()
@ApiExcludeController()
@Controller()
export class SecurityTxtController {
  constructor(@InjectConfig() private readonly config: Config) {}

  @Get('.well-known/security.txt')
  @Header('content-type', 'text/plain; charset=utf-8')
  @Header('cache-control', 'public, max-age=3600')
  read(): string {
    const { securityContact, publicUrl } = this.config;
    if (securityContact === undefined) throw new AppError(404, 'NOT_FOUND', 'There is nothing at this address.');
    const expires = new Date(Math.floor((Date.now() + VALID_MS) / DAY_MS) * DAY_MS).toISOString();
    return [
      `Contact: ${securityContact}`,
      `Expires: ${expires}`,
      'Preferred-Languages: en',
      `Canonical: ${publicUrl}/.well-known/security.txt`,
      '',
    ].join('\r\n');
  }
}
