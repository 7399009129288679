import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { CHARACTER_TRAITS_MAX } from '@app/domain';
import { ArrayMaxSize, ArrayUnique, IsArray, IsIn, type ValidationArguments } from 'class-validator';

const SHOWN_MAX = 40;

/** Up to twenty words of one of the two lists, each once; absent there are none (rule resonance-4). */
export function CharacterTraits(name: 'current' | 'ideal', words: readonly string[]): PropertyDecorator {
  const unknown = ({ value }: ValidationArguments): string =>
    `${quoted(value, words)} is not one of the ${name} traits.`;
  return applyDecorators(
    ApiPropertyOptional({
      type: [String],
      enum: words,
      maxItems: CHARACTER_TRAITS_MAX,
      uniqueItems: true,
      default: [],
    }),
    // The first fault is the one that is told.
    IsArray({ message: `The ${name} traits must be a list of words.`, context: { code: 'INVALID_TRAITS' } }),
    ArrayMaxSize(CHARACTER_TRAITS_MAX, {
      message: `You can select up to ${CHARACTER_TRAITS_MAX} ${name} traits.`,
      context: { code: 'TOO_MANY_TRAITS' },
    }),
    IsIn(words, { each: true, message: unknown, context: { code: 'UNKNOWN_TRAIT' } }),
    ArrayUnique({ message: `Each of the ${name} traits can be chosen once.`, context: { code: 'REPEATED_TRAIT' } }),
  );
}

function quoted(value: unknown, words: readonly string[]): string {
  const strange: unknown = Array.isArray(value) ? value.find((word: unknown) => !words.includes(String(word))) : value;
  if (typeof strange !== 'string') return 'One of them';
  return `"${strange.slice(0, SHOWN_MAX)}${strange.length > SHOWN_MAX ? '…' : ''}"`;
}
