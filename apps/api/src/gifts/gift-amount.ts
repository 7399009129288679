import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { GIFT_MAX, GIFT_MESSAGES, GIFT_MIN } from '@app/domain';
import { IsNovaAmount, NovaWithin, toNova } from '../wallet/nova-amount.js';

/** 1,000 to 1,000,000 Nova with at most two decimals (rule gifts-1). */
export const GiftAmount = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      minimum: toNova(GIFT_MIN),
      maximum: toNova(GIFT_MAX),
      multipleOf: 0.01,
      description: 'Nova.',
      example: 1000,
    }),
    NovaWithin({ min: GIFT_MIN, max: GIFT_MAX }, GIFT_MESSAGES.amount),
    IsNovaAmount(),
  );
