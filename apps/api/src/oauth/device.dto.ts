import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsString, MaxLength } from 'class-validator';
import { ClientIdField } from './application.dto.js';
import { SCOPES, type Scope } from './scopes.js';

const CODE_MAX = 64;
const INVALID = (message: string) => ({ message, context: { code: 'VALIDATION_FAILED' } });

/** `POST /api/oauth/device`: a code that a member reads from a device (rule oauth-22). */
export class DeviceCodeDto {
  /** Case, spaces and the hyphen do not count. */
  @ApiProperty({ maxLength: CODE_MAX, example: 'WDJB-MJHT' })
  @MaxLength(CODE_MAX, INVALID('The code is too long.'))
  @IsString(INVALID('The code must be text.'))
  user_code: string;
}

/** The application on a device that waits for the member's answer. */
export class DeviceRequestDto {
  /** As the device shows it. */
  user_code: string;
  client_id: string;
  /** What the application asks for; never `nova`. */
  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes: Scope[];
}

/** `POST /api/oauth/device/decision`. */
export class DeviceDecisionDto extends DeviceCodeDto {
  /** The application that the member was shown: a code of any other is refused. */
  @ClientIdField()
  client_id: string;

  /** The approved ones only. */
  @ApiProperty({ enum: SCOPES, isArray: true })
  @IsIn(SCOPES, { each: true, ...INVALID(`Scopes are ${SCOPES.join(', ')}.`) })
  @ArrayMaxSize(SCOPES.length, INVALID('There are too many scopes.'))
  @IsArray(INVALID('Scopes are a list of words.'))
  scopes: Scope[];

  @IsBoolean(INVALID('approved must be true or false.'))
  approved: boolean;
}
