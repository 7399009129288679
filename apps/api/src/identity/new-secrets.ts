import { applyDecorators } from '@nestjs/common';
import {
  COMMON_PASSWORD,
  COMMON_PIN,
  ownPasswordFault,
  PASSWORD_FAULTS,
  passwordFault,
  pinFault,
  type SecretFault,
  type SecretOwner,
} from '@app/domain';
import { dictionary } from '@zxcvbn-ts/language-common';
import { ValidateBy } from 'class-validator';
import { AppError } from '../platform/errors/app-error.js';
import { isPlainText } from '../platform/text.js';
import { PASSWORD_MAX, PASSWORD_MIN, PIN } from './limits.js';

/** The 17,950 commonest passwords that are long enough to be chosen, in lower case: made once, when the program is loaded. */
const COMMON: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter((word) => word.length >= PASSWORD_MIN).map((word) => word.toLowerCase()),
);

const isCommon = (password: string): boolean => COMMON.has(password.normalize('NFC').toLowerCase());

/** What is too short or too long is another rule's, which bounds the work of these. */
const hasRightLength = (password: string): boolean => isPlainText(password, { min: PASSWORD_MIN, max: PASSWORD_MAX });

const Without = (fault: SecretFault, has: (value: string) => boolean): PropertyDecorator =>
  ValidateBy(
    { name: fault.code, validator: { validate: (value: unknown) => typeof value !== 'string' || !has(value) } },
    { message: fault.message, context: { code: fault.code } },
  );

/** A new password is none of those that are guessed first. Whose it is, is asked by `refuseOwnWords`. */
export const IsUncommonPassword = (): PropertyDecorator =>
  applyDecorators(
    Without(COMMON_PASSWORD, (password) => hasRightLength(password) && isCommon(password)),
    ...PASSWORD_FAULTS.map((fault) =>
      Without(fault, (password) => hasRightLength(password) && passwordFault(password) === fault),
    ),
  );

/** A new PIN is none of those that are guessed first. */
export const IsUncommonPin = (): PropertyDecorator =>
  Without(COMMON_PIN, (pin) => PIN.test(pin) && pinFault(pin) !== undefined);

/** @throws AppError 400 `PASSWORD_PERSONAL` the password is little more than the member's own name or address */
export function refuseOwnWords(password: string, owner: SecretOwner): void {
  const fault = ownPasswordFault(password, owner);
  if (fault) throw new AppError(400, fault.code, fault.message);
}
