/**
 * Settings that hold secrets (`apps/api/src/platform/secret-settings.ts`), settings that name files of them, and a
 * trace collector's.
 */
const SECRETS = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'EVENTSTORE_URL',
  'SESSION_SECRET',
  'OIDC_JWKS',
  'VAPID_PRIVATE_KEY',
  'WEBHOOK_KEY',
  'JOURNAL_KEY',
  'CHECKPOINT_WEBHOOK',
  'SMTP_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'TURN_CREDENTIAL',
].flatMap((name) => [name, `${name}_FILE`]);
const OTHERS = /^OTEL_EXPORTER_OTLP_(?:\w+_)?HEADERS$/;

/** The environment for programs that need none of our secrets: installing packages runs scripts of strangers. */
export const withoutSecrets = (env) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !SECRETS.includes(name) && !OTHERS.test(name)));

/** Whether a setting is given, by its value or by a file that holds it. */
export const isGiven = (name) => Boolean(process.env[name]?.trim() || process.env[`${name}_FILE`]?.trim());
