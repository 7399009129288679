import { ApiPropertyOptional } from '@nestjs/swagger';
import { MINIMUM_CHAT_PRICE_FLOOR, MINIMUM_CHAT_PRICE_STEP } from '@app/domain';
import { IsBoolean, ValidateBy } from 'class-validator';
import { WhenGiven } from './profile-fields.js';

/** So much at most, in US dollars: beyond it a price is a slip of the keyboard. */
const MINIMUM_CHAT_PRICE_MAX = 10_000;

const PRICE_MESSAGE = `The minimum chat price must be from ${MINIMUM_CHAT_PRICE_FLOOR} to ${MINIMUM_CHAT_PRICE_MAX} dollars in steps of ${MINIMUM_CHAT_PRICE_STEP}.`;

const isChatPrice = (value: unknown): boolean =>
  typeof value === 'number' &&
  value >= MINIMUM_CHAT_PRICE_FLOOR &&
  value <= MINIMUM_CHAT_PRICE_MAX &&
  Number.isInteger(value / MINIMUM_CHAT_PRICE_STEP);

const IsChatPrice = (): PropertyDecorator =>
  ValidateBy(
    { name: 'isChatPrice', validator: { validate: isChatPrice } },
    { message: PRICE_MESSAGE, context: { code: 'INVALID_PRICE' } },
  );

/** `PATCH /api/profile/settings` (rule profiles-4): what is absent stays as it is. */
export class ProfileSettingsChangesDto {
  @IsBoolean({ message: 'The setting isOnline must be true or false.' })
  @WhenGiven()
  isOnline?: boolean;

  @IsBoolean({ message: 'The setting allowDirectChats must be true or false.' })
  @WhenGiven()
  allowDirectChats?: boolean;

  @ApiPropertyOptional({
    minimum: MINIMUM_CHAT_PRICE_FLOOR,
    maximum: MINIMUM_CHAT_PRICE_MAX,
    multipleOf: MINIMUM_CHAT_PRICE_STEP,
    description: 'US dollars; a chat costs 1,250 Nova for each.',
  })
  @IsChatPrice()
  @WhenGiven()
  minimumChatPrice?: number;
}

/** How a member wants to be reached, and for how much. */
export class ProfileSettingsDto {
  isOnline: boolean;
  allowDirectChats: boolean;
  /** US dollars. */
  minimumChatPrice: number;
}
