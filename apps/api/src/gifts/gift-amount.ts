import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { GIFT_MAX, GIFT_MIN } from '@app/domain';
import { IsNovaAmount, NovaWithin, toNova } from '../wallet/nova-amount.js';

/** The exact sentences of S1 §5 Gift. */
export const GIFT_MESSAGES = {
  amount: 'Gift amount must be between 1,000 and 1,000,000 Nova.',
  insufficient: "You don't have enough Nova to send this gift.",
  recipient: 'Please select someone to send a gift to.',
} as const;

/** 1,000 to 1,000,000 Nova with at most two decimals (S1 §9 Gifts). */
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
