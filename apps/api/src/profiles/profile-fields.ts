import { applyDecorators } from '@nestjs/common';
import { isWebsite, WEBSITE_MAX } from '@app/domain';
import { ValidateBy, ValidateIf } from 'class-validator';
import { MemberText } from '../platform/text.js';
import type { ErrorCode } from '../platform/errors/error-codes.js';

/** Allows an absent value, but not null. */
export const WhenGiven = (): PropertyDecorator => ValidateIf((_, value: unknown) => value !== undefined);

/** Allows an absent value and null. */
const WhenThere = (): PropertyDecorator => ValidateIf((_, value: unknown) => value !== undefined && value !== null);

export interface OptionalTextRule {
  readonly max: number;
  /** The field's name at the beginning of a sentence. */
  readonly name: string;
  readonly code: ErrorCode;
}

/** A text that may be left out, or removed by an empty text or null. */
export const OptionalText = ({ max, name, code }: OptionalTextRule): PropertyDecorator =>
  applyDecorators(
    MemberText({ max }, { message: `${name} must be text of at most ${max} characters.`, context: { code } }),
    WhenThere(),
  );

const WEBSITE_MESSAGE = 'The website must be an address that begins with http:// or https://.';

/** An address that is safe to link to, or an empty text or null. */
export const WebsiteField = (): PropertyDecorator =>
  applyDecorators(
    OptionalText({ max: WEBSITE_MAX, name: 'The website', code: 'INVALID_WEBSITE' }),
    ValidatedBy({
      name: 'isWebsite',
      message: WEBSITE_MESSAGE,
      code: 'INVALID_WEBSITE',
      isValid: (value) => value === '' || (typeof value === 'string' && isWebsite(value)),
    }),
  );

export interface ChoiceRule {
  readonly options: readonly string[];
  readonly message: string;
  readonly code: ErrorCode;
}

/** One of these, or an empty text or null for none. */
export const OptionalChoice = ({ options, message, code }: ChoiceRule): PropertyDecorator =>
  applyDecorators(
    ValidatedBy({
      name: 'isChoice',
      message,
      code,
      isValid: (value) => value === '' || (typeof value === 'string' && options.includes(value)),
    }),
    WhenThere(),
  );

interface OwnRule {
  readonly name: string;
  readonly message: string;
  readonly code: ErrorCode;
  readonly isValid: (value: unknown) => boolean;
}

const ValidatedBy = ({ name, message, code, isValid }: OwnRule): PropertyDecorator =>
  ValidateBy({ name, validator: { validate: isValid } }, { message, context: { code } });

/** The text as it is stored: null for an empty text; undefined leaves the stored text unchanged. */
export const storedText = (text: string | null | undefined): string | null | undefined => (text === '' ? null : text);
