import {
  countCharacters,
  DISPLAY_NAME_MAX,
  isName,
  NAME_RULE,
  ownPasswordFault,
  PASSWORD_MIN,
  passwordFault,
  PIN,
  pinFault,
} from '@app/domain';
// The landing screen loads this file, so it imports only the parts of zod that it uses.
import * as z from 'zod/mini';

/** Texts and rules of the auth card (rules accounts-1, accounts-2, accounts-6 and accounts-8). */
export const ALL_FIELDS_REQUIRED = 'All fields are required';
export const CREDENTIALS_REQUIRED = 'Email and password are required';

const consent = z.boolean().check(z.refine((ticked) => ticked, 'You must accept the Terms & Conditions to continue.'));

const filled = (message: string) => z.string().check(z.trim(), z.minLength(1, message));

const email = (requiredMessage: string) =>
  z.pipe(filled(requiredMessage), z.email('Enter an email address such as ada@example.com'));

const displayName = filled(ALL_FIELDS_REQUIRED).check(
  z.refine(
    (name) => countCharacters(name) <= DISPLAY_NAME_MAX,
    `Display name must be at most ${DISPLAY_NAME_MAX} characters.`,
  ),
  z.refine(isName, NAME_RULE),
);

const newPassword = z.string().check(
  z.minLength(1, ALL_FIELDS_REQUIRED),
  z.minLength(PASSWORD_MIN, `Password must be at least ${PASSWORD_MIN} characters`),
  z.superRefine((password, context) => {
    const fault = password.length < PASSWORD_MIN ? undefined : passwordFault(password);
    if (fault) context.addIssue(fault.message);
  }),
);

const pin = z.string().check(z.minLength(1, ALL_FIELDS_REQUIRED), z.regex(PIN, 'PIN must be 4-6 digits'));

const newPin = pin.check(
  z.superRefine((digits, context) => {
    const fault = PIN.test(digits) ? pinFault(digits) : undefined;
    if (fault) context.addIssue(fault.message);
  }),
);

const credentials = {
  email: email(CREDENTIALS_REQUIRED),
  password: z.string().check(z.minLength(1, CREDENTIALS_REQUIRED)),
};

export const registerSchema = z
  .object({
    displayName,
    email: email(ALL_FIELDS_REQUIRED),
    password: newPassword,
    pin: newPin,
    tcConsent: consent,
  })
  .check(
    z.superRefine((person, context) => {
      const fault = ownPasswordFault(person.password, person);
      if (fault) context.addIssue({ code: 'custom', path: ['password'], message: fault.message });
    }),
  );

export const credentialsSchema = z.object(credentials);

export const signInSchema = z.object({ ...credentials, tcConsent: consent });

export const recoverySchema = z.object({ email: email(ALL_FIELDS_REQUIRED), pin, newPassword });

export const resetMailSchema = z.object({ email: email(ALL_FIELDS_REQUIRED) });

export const newPasswordSchema = z.object({ newPassword });

export const changePasswordSchema = z.object({
  currentPassword: z.string().check(z.minLength(1, ALL_FIELDS_REQUIRED)),
  newPassword,
});

/**
 * The address of the account with which an application expects the visitor (OpenID Connect, `login_hint`); empty if
 * there is none.
 */
export function hintedEmail(parameters: URLSearchParams): string {
  const hint = z.safeParse(credentials.email, parameters.get('login_hint'));
  return hint.success ? hint.data : '';
}

export type RegisterValues = z.infer<typeof registerSchema>;
export type SignInValues = z.infer<typeof signInSchema>;
export type Credentials = z.infer<typeof credentialsSchema>;
export type RecoveryValues = z.infer<typeof recoverySchema>;
export type ResetMailValues = z.infer<typeof resetMailSchema>;
export type NewPasswordValues = z.infer<typeof newPasswordSchema>;
export type ChangePasswordValues = z.infer<typeof changePasswordSchema>;
