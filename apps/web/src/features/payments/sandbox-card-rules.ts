import { z } from 'zod';
import { testPaymentMethod } from './sandbox-payments';

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** Card digits in groups of four, as they are printed. */
export const groupCardNumber = (text: string): string =>
  digitsOf(text)
    .slice(0, 19)
    .replace(/(.{4})(?=.)/g, '$1 ');

/** `1227` → `12 / 27`. */
export function formatExpiry(text: string): string {
  const digits = digitsOf(text).slice(0, 4);
  return digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits;
}

/** The first moment at which a card with this expiry is no longer valid; null if the text is no month. */
function expiryEndMs(text: string): number | null {
  const digits = digitsOf(text);
  const month = Number(digits.slice(0, 2));
  if (digits.length !== 4 || month < 1 || month > 12) return null;
  return Date.UTC(2000 + Number(digits.slice(2)), month, 1);
}

/** The sandbox's card form. Any number other than a test card's is refused here and sent nowhere. */
export const sandboxCardSchema = z.object({
  number: z
    .string()
    .refine((text) => digitsOf(text).length >= 12, 'Enter a card number.')
    .refine(
      (text) => digitsOf(text).length < 12 || testPaymentMethod(digitsOf(text)) !== undefined,
      'The sandbox takes Stripe’s test cards only, for example 4242 4242 4242 4242. This number was not sent anywhere.',
    )
    .transform(digitsOf),
  expiry: z
    .string()
    .refine((text) => expiryEndMs(text) !== null, 'Enter the expiry as month and year, for example 12 / 30.')
    .refine((text) => (expiryEndMs(text) ?? Infinity) > Date.now(), 'Your card has expired.'),
  cvc: z.string().regex(/^\d{3,4}$/, 'Enter the 3 or 4 digits of the security code.'),
});

export type SandboxCard = z.input<typeof sandboxCardSchema>;
