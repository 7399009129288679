import { Equals, IsEmail, IsIn, IsNotEmpty, Matches, MaxLength } from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsPlainText, MemberText, Trimmed } from '../platform/text.js';
import { IsUncommonPassword, IsUncommonPin } from './new-secrets.js';
import { DISPLAY_NAME_MAX, EMAIL_MAX, PASSWORD_MAX, PASSWORD_MIN, PIN, TERMS_VERSION } from './limits.js';

/** Word for word what the screens say (rules accounts-1, accounts-2 and accounts-8). */
export const MESSAGES = {
  required: 'All fields are required',
  credentialsRequired: 'Email and password are required',
  pin: 'PIN must be 4-6 digits',
  terms: 'You must accept the Terms & Conditions to continue.',
  email: 'Please enter a valid email address.',
  newPassword: `Password must be at least ${PASSWORD_MIN} characters and at most ${PASSWORD_MAX}.`,
  password: `Password must be at most ${PASSWORD_MAX} characters.`,
  termsVersion: `The terms have changed: please accept version ${TERMS_VERSION}.`,
} as const;

/** How a member is called, whether it is a good name aside; `required` is what is said when it is missing. */
export const DisplayNameField = (required: string): PropertyDecorator =>
  applyDecorators(
    MemberText(
      { min: 1, max: DISPLAY_NAME_MAX },
      {
        message: `Display name must be at most ${DISPLAY_NAME_MAX} characters.`,
        context: { code: 'INVALID_DISPLAY_NAME' },
      },
    ),
    IsNotEmpty({ message: required, context: { code: 'REQUIRED' } }),
  );

/** An e-mail address; `required` is what is said when it is missing. */
export const EmailField = (required: string): PropertyDecorator =>
  applyDecorators(
    Trimmed(),
    IsNotEmpty({ message: required, context: { code: 'REQUIRED' } }),
    IsEmail({}, { message: MESSAGES.email, context: { code: 'INVALID_EMAIL' } }),
    MaxLength(EMAIL_MAX, { message: MESSAGES.email, context: { code: 'INVALID_EMAIL' } }),
  );

/** A password that is compared with a stored one. */
export const PasswordField = (required: string): PropertyDecorator =>
  applyDecorators(
    IsNotEmpty({ message: required, context: { code: 'REQUIRED' } }),
    IsPlainText({ max: PASSWORD_MAX }, { message: MESSAGES.password, context: { code: 'INVALID_PASSWORD' } }),
  );

/** One text of several that look the same: keyboards differ in how they write an accent. */
const Composed = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.normalize('NFC') : value));

/** A password that will be stored. */
export const NewPasswordField = (required: string): PropertyDecorator =>
  applyDecorators(
    Composed(),
    IsUncommonPassword(),
    IsNotEmpty({ message: required, context: { code: 'REQUIRED' } }),
    IsPlainText(
      { min: PASSWORD_MIN, max: PASSWORD_MAX },
      { message: MESSAGES.newPassword, context: { code: 'INVALID_PASSWORD' } },
    ),
  );

/** A recovery PIN that is compared with a stored one: a string of 4 to 6 digits. */
export const PinField = (required: string): PropertyDecorator =>
  applyDecorators(
    IsNotEmpty({ message: required, context: { code: 'REQUIRED' } }),
    Matches(PIN, { message: MESSAGES.pin, context: { code: 'INVALID_PIN' } }),
  );

/** A recovery PIN that will be stored. */
export const NewPinField = (required: string): PropertyDecorator =>
  applyDecorators(IsUncommonPin(), PinField(required));

/** Consent to the terms, as registering and signing in ask for it. */
export class TermsConsent {
  /** Must be true. */
  @Equals(true, { message: MESSAGES.terms, context: { code: 'TERMS_NOT_ACCEPTED' } })
  tcConsent: boolean;

  /** The version of the terms that was shown. */
  @IsIn([TERMS_VERSION], { message: MESSAGES.termsVersion, context: { code: 'TERMS_VERSION' } })
  tcVersion: string;
}

export class SignInDto extends TermsConsent {
  @EmailField(MESSAGES.credentialsRequired)
  email: string;

  @PasswordField(MESSAGES.credentialsRequired)
  password: string;
}

/** Proof of identity for managing devices without a session. */
export class CredentialsDto {
  @EmailField(MESSAGES.credentialsRequired)
  email: string;

  @PasswordField(MESSAGES.credentialsRequired)
  password: string;
}
