import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  Equals,
  IsArray,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ATTESTATION_MAX,
  AUTHENTICATOR_DATA_MAX,
  CLIENT_DATA_MAX,
  CREDENTIAL_ID_MAX,
  SIGNATURE_MAX,
  TRANSPORT_MAX,
  TRANSPORTS_MAX,
} from './limits.js';

const MALFORMED = { message: 'The answer of your passkey cannot be read.', context: { code: 'INVALID_PASSKEY' } };

/** Bytes as base64url. */
const Bytes = (max: number): PropertyDecorator =>
  applyDecorators(Matches(/^[A-Za-z0-9_-]+$/, MALFORMED), MaxLength(max, MALFORMED), IsString(MALFORMED));

/** What every answer of a device has. Both are as `navigator.credentials` gives them, by `toJSON()`. */
export class DeviceAnswerDto {
  @Bytes(CREDENTIAL_ID_MAX)
  id: string;

  @Bytes(CREDENTIAL_ID_MAX)
  rawId: string;

  @ApiProperty({ enum: ['public-key'] })
  @Equals('public-key', MALFORMED)
  type: 'public-key';

  @IsOptional()
  @MaxLength(TRANSPORT_MAX, MALFORMED)
  @IsString(MALFORMED)
  authenticatorAttachment?: string;

  /** Not looked at. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @IsOptional()
  @IsObject(MALFORMED)
  clientExtensionResults?: Record<string, unknown>;
}

class AttestationDto {
  @Bytes(CLIENT_DATA_MAX)
  clientDataJSON: string;

  @Bytes(ATTESTATION_MAX)
  attestationObject: string;

  @IsOptional()
  @MaxLength(TRANSPORT_MAX, { ...MALFORMED, each: true })
  @IsString({ ...MALFORMED, each: true })
  @ArrayMaxSize(TRANSPORTS_MAX, MALFORMED)
  @IsArray(MALFORMED)
  transports?: string[];

  /** Not looked at: it is in the attestation as well, as are the next two. */
  @IsOptional()
  @Bytes(AUTHENTICATOR_DATA_MAX)
  authenticatorData?: string;

  @IsOptional()
  @IsInt(MALFORMED)
  publicKeyAlgorithm?: number;

  @IsOptional()
  @Bytes(AUTHENTICATOR_DATA_MAX)
  publicKey?: string;
}

/** What a device answers when it makes a passkey. */
export class NewPasskeyAnswerDto extends DeviceAnswerDto {
  @ApiProperty({ type: AttestationDto })
  @ValidateNested()
  @Type(() => AttestationDto)
  @IsObject(MALFORMED)
  response: AttestationDto;
}

class AssertionDto {
  @Bytes(CLIENT_DATA_MAX)
  clientDataJSON: string;

  @Bytes(AUTHENTICATOR_DATA_MAX)
  authenticatorData: string;

  @Bytes(SIGNATURE_MAX)
  signature: string;

  /** Who it belongs to. */
  @IsOptional()
  @Bytes(AUTHENTICATOR_DATA_MAX)
  userHandle?: string | null;
}

/** What a device answers when it uses a passkey. */
export class PasskeyAnswerDto extends DeviceAnswerDto {
  @ApiProperty({ type: AssertionDto })
  @ValidateNested()
  @Type(() => AssertionDto)
  @IsObject(MALFORMED)
  response: AssertionDto;
}
