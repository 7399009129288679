import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Money } from '@app/domain';
import { ArrayMaxSize, IsArray, IsBoolean, IsOptional, IsString, MaxLength } from 'class-validator';
import { IsNovaAmount, NovaWithin } from '../wallet/nova-amount.js';
import { ClientIdField } from './application.dto.js';
import { DAILY_LIMIT_DEFAULT, DAILY_LIMIT_MAX, URL_MAX } from './limits.js';
import { SCOPES, type Scope } from './scopes.js';

/** Whatever `/oauth/authorize` takes: Node reads no longer addresses. */
const PARAMETER_MAX = 16_384;
const SCOPES_SENT_MAX = 50;
const SCOPE_MAX = 100;

const LIMIT_MESSAGE = `The daily limit must be from 0 to ${DAILY_LIMIT_MAX.toLocaleString('en-US')} Nova.`;
const INVALID = (message: string) => ({ message, context: { code: 'VALIDATION_FAILED' } });

const DailyLimitField = (): PropertyDecorator =>
  applyDecorators(
    NovaWithin({ min: 0n, max: Money.fromNumber(DAILY_LIMIT_MAX).minor }, LIMIT_MESSAGE),
    IsNovaAmount({ message: LIMIT_MESSAGE }),
  );

/** A part of the authorization request, as the consent screen was sent it. */
const RequestParameter = (name: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: String, nullable: true }),
    MaxLength(PARAMETER_MAX, INVALID(`${name} is too long.`)),
    IsString(INVALID(`${name} must be text.`)),
    IsOptional(),
  );

/** `POST /api/oauth/consent` (rule oauth-11). */
export class ConsentDecisionDto {
  @ClientIdField()
  client_id: string;

  @MaxLength(URL_MAX, INVALID('The redirect URI is too long.'))
  @IsString(INVALID('The redirect URI is missing.'))
  redirect_uri: string;

  /** The approved ones only. */
  @ApiProperty({ enum: SCOPES, isArray: true })
  @MaxLength(SCOPE_MAX, { each: true, ...INVALID('A scope is too long.') })
  @IsString({ each: true, ...INVALID('Scopes are words.') })
  @ArrayMaxSize(SCOPES_SENT_MAX, INVALID('There are too many scopes.'))
  @IsArray(INVALID('Scopes are a list of words.'))
  scopes: string[];

  /** What the application asked for. */
  @RequestParameter('The scope')
  scope?: string | null;

  @RequestParameter('The state')
  state?: string | null;

  @RequestParameter('The nonce')
  nonce?: string | null;

  @RequestParameter('The code challenge')
  code_challenge?: string | null;

  @RequestParameter('The code challenge method')
  code_challenge_method?: string | null;

  @RequestParameter('The response mode')
  response_mode?: string | null;

  @RequestParameter('The maximum age')
  max_age?: string | null;

  @RequestParameter('The id token hint')
  id_token_hint?: string | null;

  @RequestParameter('The login hint')
  login_hint?: string | null;

  @IsBoolean(INVALID('approved must be true or false.'))
  approved: boolean;

  /** Nova a UTC day that the application may spend and transfer; only with scope nova. */
  @ApiPropertyOptional({
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: DAILY_LIMIT_MAX,
    default: DAILY_LIMIT_DEFAULT,
  })
  @DailyLimitField()
  @IsOptional()
  dailyLimit?: number | null;
}

export class ConsentOutcomeDto {
  /** Where the browser goes on. */
  redirect_url: string;
}

/** Who runs an application: a member, whatever it says of itself. */
export class ApplicationOwnerDto {
  displayName: string;
  /** Since when they are a member: ISO 8601, UTC. */
  memberSince: string;
}

/** `GET /api/oauth/client-info/{client_id}`: what the consent screen shows. */
export class ClientInfoDto {
  name: string;
  description: string | null;
  logoUrl: string | null;
  applicationUrl: string | null;
  owner: ApplicationOwnerDto;
  /** What the application may ask for. */
  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes: Scope[];
  /** Of the member's consent, else the default. */
  dailyLimit: number;
  isFirstConsent: boolean;
}

/** An application that a member lets act for them (rule oauth-8). */
export class AuthorizedApplicationDto {
  /** The client id. */
  id: string;
  name: string;
  description: string | null;
  logoUrl: string | null;
  applicationUrl: string | null;
  @ApiProperty({ enum: SCOPES, isArray: true })
  grantedScopes: Scope[];
  /** Nova a UTC day; null without scope nova. */
  dailyLimit: number | null;
  firstConsentAt: string;
  lastConsentAt: string;
}

export class AuthorizedApplicationsDto {
  applications: AuthorizedApplicationDto[];
}

export class RevokeConsentDto {
  @ClientIdField()
  client_id: string;
}

export class DailyLimitDto {
  /** Nova a UTC day that the application may spend and transfer. */
  @ApiProperty({ minimum: 0, maximum: DAILY_LIMIT_MAX })
  @DailyLimitField()
  dailyLimit: number;
}

export class ChangedDailyLimitDto extends DailyLimitDto {
  message: string;
}
