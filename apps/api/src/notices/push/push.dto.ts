import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { IANAZone } from 'luxon';
import { ENDPOINT_MAX } from '../limits.js';
import { PUSH_KINDS, type PushKind } from './push.js';

const MINUTES_OF_DAY = 24 * 60;
const KEY_MAX = 200;
const NO_SUBSCRIPTION = {
  message: 'This is not what a browser gives for notifications.',
  context: { code: 'INVALID_PUSH_SUBSCRIPTION' },
};
const NO_HOURS = {
  message: 'Quiet hours are two times of the day and a time zone.',
  context: { code: 'INVALID_QUIET_HOURS' },
};
const NO_KINDS = { message: 'Please choose from the list.', context: { code: 'INVALID_KIND' } };
const NO_CHOICE = { message: 'This is on or off.', context: { code: 'INVALID_CHOICE' } };

export class QuietHoursDto {
  /** Minutes since midnight, from 0 to 1439. */
  @IsInt(NO_HOURS)
  @Min(0, NO_HOURS)
  @Max(MINUTES_OF_DAY - 1, NO_HOURS)
  from: number;

  /** Minutes since midnight. Before `from`, it is of the next day. */
  @IsInt(NO_HOURS)
  @Min(0, NO_HOURS)
  @Max(MINUTES_OF_DAY - 1, NO_HOURS)
  to: number;

  /** Such as `Europe/Berlin`. */
  @MaxLength(KEY_MAX, NO_HOURS)
  @ValidateBy(
    {
      name: 'isTimeZone',
      validator: { validate: (value: unknown) => typeof value === 'string' && IANAZone.isValidZone(value) },
    },
    NO_HOURS,
  )
  timeZone: string;
}

export class PushChoicesDto {
  /** What the member is notified of. */
  @ApiProperty({ enum: PUSH_KINDS, isArray: true })
  @ArrayMaxSize(PUSH_KINDS.length, NO_KINDS)
  @IsIn(PUSH_KINDS, { each: true, ...NO_KINDS })
  kinds: PushKind[];

  /** Whether locked screens may show names and texts. */
  @IsBoolean(NO_CHOICE)
  showsText: boolean;

  /** Whether a chat request is mailed while the member is away. */
  @IsBoolean(NO_CHOICE)
  mails: boolean;

  /** No notification comes in these hours; null for none. */
  @ApiProperty({ type: QuietHoursDto, nullable: true })
  @IsOptional()
  @ValidateNested(NO_HOURS)
  @Type(() => QuietHoursDto)
  quietHours: QuietHoursDto | null;
}

export class PushSettingsResponse extends PushChoicesDto {
  /** For `PushManager.subscribe`: base64url. */
  publicKey: string;

  /** How many browsers of the member are notified. */
  browsers: number;

  /** Whether this device is one of them. */
  here: boolean;
}

export class SubscriptionKeysDto {
  @IsString(NO_SUBSCRIPTION)
  @MaxLength(KEY_MAX, NO_SUBSCRIPTION)
  p256dh: string;

  @IsString(NO_SUBSCRIPTION)
  @MaxLength(KEY_MAX, NO_SUBSCRIPTION)
  auth: string;
}

/** `PushSubscription.toJSON()`, without its expiry. */
export class PushSubscriptionDto {
  @IsString(NO_SUBSCRIPTION)
  @MaxLength(ENDPOINT_MAX, NO_SUBSCRIPTION)
  endpoint: string;

  @ValidateNested(NO_SUBSCRIPTION)
  @Type(() => SubscriptionKeysDto)
  keys: SubscriptionKeysDto;
}
