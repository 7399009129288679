import { expect, it } from '@jest/globals';
import { NAME_RULE } from '@app/domain';
import { changePasswordSchema, credentialsSchema, hintedEmail, registerSchema } from './auth-schemas';

const valid = {
  displayName: 'Ada',
  email: 'ada@example.com',
  password: 'a quiet sky',
  pin: '7391',
  tcConsent: true,
};

const messages = (values: unknown) =>
  registerSchema.safeParse(values).error?.issues.map((issue) => issue.message) ?? [];

it('accepts a complete registration and trims what was typed', () => {
  expect(registerSchema.parse({ ...valid, displayName: '  Ada ', email: ' ada@example.com ' })).toEqual(valid);
});

it('counts the characters of a name as a reader does', () => {
  const displayName = '🌟'.repeat(50);
  expect(registerSchema.parse({ ...valid, displayName })).toEqual({ ...valid, displayName });
});

it.each([
  [{ displayName: '   ' }, 'All fields are required'],
  [{ displayName: '\u200b' }, NAME_RULE],
  [{ displayName: '🌟'.repeat(51) }, 'Display name must be at most 50 characters.'],
  [{ email: '' }, 'All fields are required'],
  [{ password: '' }, 'All fields are required'],
  [{ pin: '' }, 'All fields are required'],
  [{ pin: '123' }, 'PIN must be 4-6 digits'],
  [{ pin: '1234567' }, 'PIN must be 4-6 digits'],
  [{ pin: '12a4' }, 'PIN must be 4-6 digits'],
  [{ password: 'short' }, 'Password must be at least 8 characters'],
  [{ email: 'ada' }, 'Enter an email address such as ada@example.com'],
  [{ tcConsent: false }, 'You must accept the Terms & Conditions to continue.'],
])('says what is wrong with %j', (change, message) => {
  expect(messages({ ...valid, ...change })).toContain(message);
});

it('asks for both credentials in one sentence', () => {
  const issues = credentialsSchema.safeParse({ email: '', password: '' }).error?.issues ?? [];
  expect(new Set(issues.map((issue) => issue.message))).toEqual(new Set(['Email and password are required']));
});

it.each([
  [{ currentPassword: 'six678', newPassword: 'a quiet sky' }, []],
  [{ currentPassword: ' ', newPassword: ' a  b c ' }, []],
  [{ currentPassword: ' ', newPassword: '        ' }, [expect.stringContaining('only repeats itself')]],
  [{ currentPassword: '', newPassword: 'a quiet sky' }, ['All fields are required']],
  [{ currentPassword: 'six678', newPassword: 'short' }, ['Password must be at least 8 characters']],
])('asks of a new password what registering does, and of the current one only that it is there: %j', (values, said) => {
  const issues = changePasswordSchema.safeParse(values).error?.issues ?? [];
  expect(issues.map(({ message }) => message)).toEqual(said);
});

it.each([
  ['login_hint=ada%40example.com', 'ada@example.com'],
  ['login_hint=+ada%40example.com+', 'ada@example.com'],
  ['login_hint=ada', ''],
  ['login_hint=%2B4912345', ''],
  ['login_hint=', ''],
  ['scope=openid', ''],
])('begins the sign-in with the address in %p: %p', (query, email) => {
  expect(hintedEmail(new URLSearchParams(query))).toBe(email);
});
