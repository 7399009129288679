import type { FieldErrors, FieldValues } from 'react-hook-form';

/**
 * One sentence covers all empty fields (rule accounts-1), and the fields themselves are only marked. `props` are what a
 * `Field` takes; `missing` is the sentence while any field lacks a value.
 */
export function readFieldErrors<T extends FieldValues>(errors: FieldErrors<T>, requiredMessage: string) {
  const messageOf = (name: keyof T & string): string | undefined => {
    const message: unknown = errors[name]?.message;
    return typeof message === 'string' ? message : undefined;
  };
  return {
    props(name: keyof T & string) {
      const message = messageOf(name);
      if (message === requiredMessage) return { invalid: true };
      return { error: message };
    },
    missing: Object.values(errors).some((error) => error?.message === requiredMessage) ? requiredMessage : undefined,
  };
}
