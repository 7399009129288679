import { isAppLink, isRedirectUri } from '@app/domain';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsNotEmpty,
  IsOptional,
  IsString,
  MaxLength,
  MinLength,
  ValidateBy,
} from 'class-validator';
import { IsPublicName } from '../platform/names.js';
import { MemberText, Trimmed } from '../platform/text.js';
import { isPublicUrl } from './application-urls.js';
import { DESCRIPTION_MAX, NAME_MAX, REDIRECT_URIS_MAX, URL_MAX } from './limits.js';
import { DEFAULT_SCOPES, SCOPES, type Scope } from './scopes.js';
import type { ErrorCode } from '../platform/errors/error-codes.js';

const CLIENT_ID_MAX = 64;
const UNKNOWN_ID = { message: 'Please name an application.', context: { code: 'REQUIRED' } };

/** The id of an application in a body. */
export const ClientIdField = (): PropertyDecorator =>
  applyDecorators(MaxLength(CLIENT_ID_MAX, UNKNOWN_ID), MinLength(1, UNKNOWN_ID), IsString(UNKNOWN_ID));

interface TextRule {
  readonly name: string;
  readonly code: ErrorCode;
  readonly message: string;
  readonly isValid: (text: string) => boolean;
  readonly each?: boolean;
}

const TextThat = ({ name, code, message, isValid, each = false }: TextRule): PropertyDecorator =>
  ValidateBy(
    { name, validator: { validate: (value: unknown) => typeof value === 'string' && isValid(value) } },
    { each, message, context: { code } },
  );

/** What is wrong with a name. */
export const INVALID_NAME = 'INVALID_NAME';

const NameField = (): PropertyDecorator =>
  applyDecorators(
    MemberText(
      { min: 1, max: NAME_MAX },
      { message: `The name must be at most ${NAME_MAX} characters.`, context: { code: INVALID_NAME } },
    ),
    IsNotEmpty({ message: 'Please enter a name for the application.', context: { code: 'REQUIRED' } }),
  );

const DescriptionField = (): PropertyDecorator =>
  applyDecorators(
    MemberText(
      { max: DESCRIPTION_MAX },
      {
        message: `The description must be text of at most ${DESCRIPTION_MAX} characters.`,
        context: { code: 'INVALID_DESCRIPTION' },
      },
    ),
    IsOptional(),
  );

/** An address or an empty text. */
const UrlField = (called: string): PropertyDecorator =>
  applyDecorators(
    Trimmed(),
    TextThat({
      name: 'isPublicUrl',
      code: 'INVALID_URL',
      message: `The ${called} must be an address that begins with http:// or https://.`,
      isValid: (text) => text === '' || isPublicUrl(text),
    }),
    IsOptional(),
  );

const REDIRECT_URI_MESSAGE =
  'A redirect URI must be an absolute address without a fragment that begins with https://, with http:// on localhost, or with a scheme that has a dot.';

/** Empty ones are dropped (rule oauth-1). */
const RedirectUrisField = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? distinctFilled(value) : value)),
    TextThat({
      name: 'isRedirectUri',
      code: 'INVALID_REDIRECT_URI',
      message: REDIRECT_URI_MESSAGE,
      isValid: (uri) => isRedirectUri(uri) || isAppLink(uri),
      each: true,
    }),
    ArrayMaxSize(REDIRECT_URIS_MAX, {
      message: `An application has at most ${REDIRECT_URIS_MAX} redirect URIs.`,
      context: { code: 'INVALID_REDIRECT_URI' },
    }),
    ArrayMinSize(1, { message: 'Please enter at least one redirect URI.', context: { code: 'REQUIRED' } }),
    IsArray({ message: 'Please enter at least one redirect URI.', context: { code: 'REQUIRED' } }),
  );

const distinctFilled = (values: readonly unknown[]): unknown[] => [
  ...new Set(values.map((value) => (typeof value === 'string' ? value.trim() : value)).filter((value) => value !== '')),
];

const SCOPES_MESSAGE = { message: `Scopes are ${SCOPES.join(', ')}.`, context: { code: 'INVALID_SCOPE' } };

const ScopesField = (): PropertyDecorator =>
  applyDecorators(
    IsIn(SCOPES, { each: true, ...SCOPES_MESSAGE }),
    ArrayMaxSize(SCOPES.length, SCOPES_MESSAGE),
    IsArray(SCOPES_MESSAGE),
  );

const BOOLEAN = (name: string) => ({
  message: `${name} must be true or false.`,
  context: { code: 'VALIDATION_FAILED' },
});

/** `POST /api/oauth/register-app` (rule oauth-1). */
export class RegisterApplicationDto {
  @ApiProperty({ minLength: 1, maxLength: NAME_MAX })
  @IsPublicName(INVALID_NAME)
  @NameField()
  name: string;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: DESCRIPTION_MAX })
  @DescriptionField()
  description?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: URL_MAX })
  @UrlField('logo URL')
  logoUrl?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: URL_MAX })
  @UrlField('application URL')
  applicationUrl?: string | null;

  /**
   * Compared letter by letter, but for the port of `127.0.0.1` and `[::1]`; absolute, without fragment, https or
   * loopback http. A public application may also have one with a scheme that has a dot (`com.example.app:/callback`).
   */
  @ApiProperty({
    type: [String],
    minItems: 1,
    maxItems: REDIRECT_URIS_MAX,
    example: ['https://app.example.com/callback'],
  })
  @RedirectUrisField()
  redirectUris: string[];

  @ApiPropertyOptional({ enum: SCOPES, isArray: true, default: DEFAULT_SCOPES })
  @ScopesField()
  @IsOptional()
  scopes?: Scope[];

  /** Without a secret: it runs on people's own devices, and proves itself by PKCE alone. */
  @ApiPropertyOptional({ default: false })
  @IsBoolean(BOOLEAN('isPublic'))
  @IsOptional()
  isPublic?: boolean;

  /** Refuse authorization requests without a PKCE challenge. Public applications always need one. */
  @ApiPropertyOptional({ default: false })
  @IsBoolean(BOOLEAN('requirePkce'))
  @IsOptional()
  requirePkce?: boolean;

  /** Let devices without a browser sign in (RFC 8628). */
  @ApiPropertyOptional({ default: false })
  @IsBoolean(BOOLEAN('deviceFlow'))
  @IsOptional()
  deviceFlow?: boolean;
}

/** `PATCH /api/oauth/application/{clientId}`: what is absent stays; an empty text, or null, takes it away. */
export class ApplicationChangesDto {
  @ApiPropertyOptional({ minLength: 1, maxLength: NAME_MAX })
  @NameField()
  @IsOptional()
  name?: string;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: DESCRIPTION_MAX })
  @DescriptionField()
  description?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: URL_MAX })
  @UrlField('logo URL')
  logoUrl?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: URL_MAX })
  @UrlField('application URL')
  applicationUrl?: string | null;

  @ApiPropertyOptional({ type: [String], minItems: 1, maxItems: REDIRECT_URIS_MAX })
  @RedirectUrisField()
  @IsOptional()
  redirectUris?: string[];

  @ApiPropertyOptional({ enum: SCOPES, isArray: true })
  @ScopesField()
  @IsOptional()
  scopes?: Scope[];

  /** Switched off, its sign-ins and tokens are refused until it is on again. */
  @ApiPropertyOptional()
  @IsBoolean(BOOLEAN('isActive'))
  @IsOptional()
  isActive?: boolean;

  /** Refuse authorization requests without a PKCE challenge. Public applications always need one. */
  @ApiPropertyOptional()
  @IsBoolean(BOOLEAN('requirePkce'))
  @IsOptional()
  requirePkce?: boolean;

  /** Let devices without a browser sign in (RFC 8628). Switched off, codes that wait cannot be entered any more. */
  @ApiPropertyOptional()
  @IsBoolean(BOOLEAN('deviceFlow'))
  @IsOptional()
  deviceFlow?: boolean;
}

/** An own application (rule oauth-1). */
export class ApplicationDto {
  /** The client id. */
  id: string;
  clientId: string;
  name: string;
  description: string | null;
  logoUrl: string | null;
  applicationUrl: string | null;
  redirectUris: string[];
  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes: Scope[];
  isActive: boolean;
  /** Without a secret. */
  isPublic: boolean;
  /** Authorization requests without a PKCE challenge are refused. */
  requirePkce: boolean;
  /** Devices without a browser may sign in (RFC 8628). */
  deviceFlow: boolean;
  /** ISO 8601, UTC. */
  createdAt: string;
}

export class RegisteredApplicationDto {
  message: string;
  clientId: string;
  /** Shown this once. Null for a public application. */
  clientSecret: string | null;
  application: ApplicationDto;
}

export class ClientIdDto {
  @ApiProperty({ maxLength: CLIENT_ID_MAX })
  @ClientIdField()
  clientId: string;
}

export class ClientSecretDto {
  /** Shown this once; the one from before is refused from now on. */
  clientSecret: string;
}
