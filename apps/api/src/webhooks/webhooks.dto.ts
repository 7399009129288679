import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsOptional,
  IsString,
  MaxLength,
  ValidateBy,
} from 'class-validator';
import { readDayOrMoment } from '../platform/day-or-moment.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from './event-types.js';
import { ENDPOINT_URL_MAX } from './limits.js';

const NO_URL = { message: 'Please enter an address that begins with https://.', context: { code: 'INVALID_URL' } };
const NO_EVENTS = { message: `Events are ${WEBHOOK_EVENTS.join(', ')}.`, context: { code: 'INVALID_EVENT' } };
const NO_SWITCH = { message: 'isOn must be true or false.', context: { code: 'VALIDATION_FAILED' } };

const UrlField = (): PropertyDecorator => applyDecorators(MaxLength(ENDPOINT_URL_MAX, NO_URL), IsString(NO_URL));

const EventsField = (): PropertyDecorator =>
  applyDecorators(
    IsIn(WEBHOOK_EVENTS, { each: true, ...NO_EVENTS }),
    ArrayMaxSize(WEBHOOK_EVENTS.length, NO_EVENTS),
    ArrayMinSize(1, { message: 'Please choose at least one event.', context: { code: 'INVALID_EVENT' } }),
    IsArray(NO_EVENTS),
  );

/** `POST /api/oauth/application/{clientId}/webhooks` (rule webhooks-7). */
export class NewWebhookDto {
  /** Public, by https; on an installation for one machine also this machine. */
  @ApiProperty({ maxLength: ENDPOINT_URL_MAX, example: 'https://app.example.com/nova' })
  @UrlField()
  url: string;

  @ApiProperty({ enum: WEBHOOK_EVENTS, isArray: true, minItems: 1 })
  @EventsField()
  events: WebhookEvent[];
}

/** `PATCH …/webhooks/{id}`: what is absent stays. */
export class WebhookChangesDto {
  @ApiPropertyOptional({ maxLength: ENDPOINT_URL_MAX })
  @UrlField()
  @IsOptional()
  url?: string;

  @ApiPropertyOptional({ enum: WEBHOOK_EVENTS, isArray: true, minItems: 1 })
  @EventsField()
  @IsOptional()
  events?: WebhookEvent[];

  /** Switched off, its deliveries wait; switched on, they are sent. */
  @ApiPropertyOptional()
  @IsBoolean(NO_SWITCH)
  @IsOptional()
  isOn?: boolean;
}

/** `POST …/webhooks/{id}/replay`. */
export class ReplayDto {
  /** Deliveries that were queued since then are sent again. */
  @ApiProperty({ type: String, description: 'A day (`2026-01-31`, UTC) or a moment (ISO 8601).' })
  @ValidateBy(
    { name: 'isDayOrMoment', validator: { validate: (value: unknown) => readDayOrMoment(value) !== undefined } },
    { message: 'from must be a date such as 2026-01-31.', context: { code: 'INVALID_DATE' } },
  )
  from: string;
}

export class NewSecretDto {
  id: string;

  /** `whsec_…`, answered this once. */
  secret: string;
}

export class RotatedSecretDto extends NewSecretDto {
  /** Until then deliveries are signed with the secret before as well. */
  @ApiProperty({ format: 'date-time' })
  previousUntil: string;
}

export class ReplayedDto {
  /** How many deliveries are sent again. */
  count: number;
}

export class QueuedDeliveryDto {
  /** Of the delivery: `webhook-id`. */
  id: string;
}

/** An endpoint of an own application. */
export class WebhookDto {
  id: string;
  url: string;
  @ApiProperty({ enum: WEBHOOK_EVENTS, isArray: true })
  events: WebhookEvent[];
  isOn: boolean;

  /** Why it is off: by the developer, because it failed for three days, or because it answered 410. */
  @ApiProperty({ type: String, enum: ['developer', 'failing', 'gone'], nullable: true })
  offReason: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  offAt: string | null;

  /** Since when nothing has reached it; null if the last attempt did. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  failingSince: string | null;

  /** Until when the secret before the newest is valid as well. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  previousUntil: string | null;

  /** Of its newest delivery; 0 before the first. */
  lastSequence: number;

  /** How many deliveries were too old or too many, and were dropped before they were sent. */
  @ApiProperty({ type: 'integer' })
  dropped: number;

  /** When that was last; null if never. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  droppedAt: string | null;

  @ApiProperty({ format: 'date-time' })
  createdAt: string;
}

export class WebhooksDto {
  webhooks: WebhookDto[];
}

export class AttemptDto {
  @ApiProperty({ format: 'date-time' })
  at: string;

  /** Milliseconds until the answer, or until it was given up. */
  ms: number;

  /** Of the answer; absent where none came. */
  status?: number;

  /** What the answer said, cut off. */
  answer?: string;

  /** Why no answer came. */
  error?: string;
}

export class DeliveryDto {
  /** `webhook-id`. */
  id: string;
  sequence: number;
  type: string;

  /** What is sent, each time the same. */
  body: string;

  /** `waiting` for an attempt, `delivered`, or `given_up`. */
  @ApiProperty({ enum: ['waiting', 'delivered', 'given_up'] })
  status: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  nextAt: string | null;

  /** Oldest first; the newest 20. */
  @ApiProperty({ type: [AttemptDto] })
  attempts: AttemptDto[];

  @ApiProperty({ format: 'date-time' })
  createdAt: string;
}

export class DeliveriesDto {
  deliveries: DeliveryDto[];

  @ApiProperty({ type: String, nullable: true })
  nextCursor: string | null;
}
