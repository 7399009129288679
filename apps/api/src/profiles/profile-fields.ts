import { applyDecorators } from '@nestjs/common';
import { isWebsite, WEBSITE_MAX } from '@app/domain';
import { ValidateBy, ValidateIf } from 'class-validator';
import { MemberText } from '../platform/text.js';

/** Absent is fine, null is not. */
export const WhenGiven = (): PropertyDecorator => ValidateIf((_, value: unknown) => value !== undefined);

/** Absent and null are fine. */
const WhenThere = (): PropertyDecorator => ValidateIf((_, value: unknown) => value !== undefined && value !== null);

export interface OptionalTextRule {
  readonly max: number;
  /** How a sentence about it begins. */
  readonly name: string;
  readonly code: string;
}

/** A text that may be left out, or taken away by an empty one or null. */
export const OptionalText = ({ max, name, code }: OptionalTextRule): PropertyDecorator =>
  applyDecorators(
    MemberText({ max }, { message: `${name} must be text of at most ${max} characters.`, context: { code } }),
    WhenThere(),
  );

const WEBSITE_MESSAGE = 'The website must be an address that begins with http:// or https://.';

/** An address that others can safely be led to, or an empty text or null. */
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
  readonly code: string;
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
  readonly code: string;
  readonly isValid: (value: unknown) => boolean;
}

const ValidatedBy = ({ name, message, code, isValid }: OwnRule): PropertyDecorator =>
  ValidateBy({ name, validator: { validate: isValid } }, { message, context: { code } });

/** As it is stored: null where there is nothing; undefined leaves what is there. */
export const storedText = (text: string | null | undefined): string | null | undefined => (text === '' ? null : text);
