import { applyDecorators } from '@nestjs/common';
import { PASSKEY_NAME_MAX } from '@app/domain';
import { IsNotEmpty } from 'class-validator';
import { IsName } from '../platform/names.js';
import { MemberText } from '../platform/text.js';

/** A member's name for a passkey. */
export const PasskeyNameField = (): PropertyDecorator =>
  applyDecorators(
    MemberText(
      { min: 1, max: PASSKEY_NAME_MAX },
      {
        message: `The name must be at most ${PASSKEY_NAME_MAX} characters.`,
        context: { code: 'INVALID_NAME' },
      },
    ),
    IsName('INVALID_NAME'),
    IsNotEmpty({ message: 'Please enter a name for the passkey.', context: { code: 'REQUIRED' } }),
  );
