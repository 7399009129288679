import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsNotEmpty } from 'class-validator';
import { MemberText } from '../platform/text.js';
import { CREDENTIALS, type LoggedCall } from './application-calls.js';
import { CALLS_KEPT_DAYS, CALLS_KEPT_MAX, SECRET_NAME_MAX } from './limits.js';
import { SCOPES, type Scope } from './scopes.js';

const SecretNameField = (): PropertyDecorator =>
  applyDecorators(
    MemberText(
      { max: SECRET_NAME_MAX },
      { message: `The name must be at most ${SECRET_NAME_MAX} characters.`, context: { code: 'INVALID_NAME' } },
    ),
    IsNotEmpty({ message: 'Please enter a name for the secret.', context: { code: 'REQUIRED' } }),
  );

/** `POST /api/oauth/application/{clientId}/secrets` (rule oauth-26). */
export class NewSecretNameDto {
  /** Where it is used, for the developer alone. */
  @ApiProperty({ minLength: 1, maxLength: SECRET_NAME_MAX, example: 'Server in Vienna' })
  @SecretNameField()
  name: string;
}

export class SecretDto {
  id: string;
  name: string;

  /** Null if it was made before secrets had names. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  createdAt: string | null;

  /** To the minute; null if it never proved anything. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  lastUsedAt: string | null;
}

export class SecretsDto {
  /** Oldest first; one or two. None of a public application. */
  secrets: SecretDto[];
}

export class MadeSecretDto extends SecretDto {
  /** Answered this once. */
  clientSecret: string;
}

/** A member who consented, as the application knows them. */
export class ConsentingMemberDto {
  /** `sub` of their id token. */
  @ApiProperty({ format: 'uuid' })
  userId: string;

  /** What the application may do now: granted, and still registered. */
  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes: Scope[];

  @ApiProperty({ format: 'date-time' })
  since: string;

  /** Nova a UTC day for spend and transfer; null without scope `nova`. */
  @ApiProperty({ type: Number, nullable: true })
  dailyLimit: number | null;
}

/** `GET /api/oauth/application/{clientId}/members` (rule oauth-27). */
export class ConsentingMembersDto {
  @ApiProperty({ type: [ConsentingMemberDto], description: 'Newest consent first.' })
  members: ConsentingMemberDto[];

  @ApiProperty({ type: String, nullable: true, description: 'Send it back as `cursor` for the next page.' })
  nextCursor: string | null;
}

export class ApplicationCallDto {
  id: string;

  /** False for a call of the test client. */
  livemode: boolean;

  /** When it came. */
  @ApiProperty({ format: 'date-time' })
  at: string;

  @ApiProperty({ example: 'GET' })
  method: string;

  /** As it is declared, with names in place of values. */
  @ApiProperty({ example: '/api/tokens/wallet' })
  route: string;

  @ApiProperty({ example: 200 })
  status: number;

  /** Why it was refused: a `code` of the API, or an `error` of OAuth. */
  @ApiProperty({ type: String, nullable: true })
  code: string | null;

  durationMs: number;

  /** What proved the application: a secret itself, a token of its own, or a member’s token. */
  @ApiProperty({ enum: CREDENTIALS })
  credential: LoggedCall['credential'];

  /** Of the secret, or of the one that proved the token; null for a member’s token. */
  @ApiProperty({ type: String, nullable: true })
  secretName: string | null;

  /** `x-request-id` of the answer. */
  requestId: string;

  /** So many calls at about this time, or before the first of the log, are not in it: they were too many. */
  @ApiProperty({ type: 'integer' })
  leftOut: number;
}

/** `GET /api/oauth/application/{clientId}/calls` (rule oauth-28). */
export class ApplicationCallsDto {
  @ApiProperty({
    type: [ApplicationCallDto],
    description: `Newest first; of the last ${CALLS_KEPT_DAYS} days, ${CALLS_KEPT_MAX} at most.`,
  })
  calls: ApplicationCallDto[];

  @ApiProperty({ type: String, nullable: true, description: 'Send it back as `cursor` for the next page.' })
  nextCursor: string | null;
}
