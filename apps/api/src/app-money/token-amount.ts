import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { AMOUNT_MAX, GIFT_MAX } from '@app/domain';
import { IsOptional } from 'class-validator';
import { EmptyIsAbsent, MemberText } from '../platform/text.js';
import { IsNovaAmount, NovaWithin, toNova } from '../wallet/nova-amount.js';

const SMALLEST = 1n;
const DESCRIPTION_MAX = 200;

/** An amount that an application may spend or pay at once: at most as much as a gift, with two decimals. */
export const TokenAmount = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      minimum: toNova(SMALLEST),
      maximum: toNova(GIFT_MAX),
      multipleOf: 0.01,
      description: 'Nova.',
      example: 25,
    }),
    NovaWithin({ min: SMALLEST, max: GIFT_MAX }, 'The amount must be between 0.01 and 1,000,000 Nova.'),
    IsNovaAmount(),
  );

/** An amount that a developer may put into a wallet or take out at once: any possible amount. */
export const WalletAmount = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ minimum: toNova(SMALLEST), multipleOf: 0.01, description: 'Nova.', example: 1000 }),
    NovaWithin({ min: SMALLEST, max: AMOUNT_MAX }, 'The amount must be at least 0.01 Nova.'),
    IsNovaAmount(),
  );

/** A short text by the application for statements: what was bought, what was won. */
export const MovementDescription = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ maxLength: DESCRIPTION_MAX, example: 'Premium theme' }),
    MemberText(
      { max: DESCRIPTION_MAX },
      {
        message: `The description must be text of ${DESCRIPTION_MAX} characters at most.`,
        context: { code: 'INVALID_DESCRIPTION' },
      },
    ),
    EmptyIsAbsent(),
    IsOptional(),
  );
