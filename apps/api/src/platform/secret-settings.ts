import { readFileSync } from 'node:fs';
import { reasonOf } from './errors/explained.js';

/**
 * Settings whose value is a secret or holds one. Each may be given as `NAME_FILE` instead: a file that a vault, or Docker,
 * puts there. An environment is seen by whoever may look at the process, and passed on to what it starts.
 */
export const SECRET_SETTINGS = [
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
] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** A secret's file cannot be read, or the secret is given twice. */
export class SecretFileError extends Error {}

/** The environment with what the files of its secrets hold. @throws SecretFileError names the setting */
export function withSecretFiles(environment: Environment): Environment {
  const read = SECRET_SETTINGS.flatMap((name) => {
    const file = environment[`${name}_FILE`]?.trim();
    if (!file) return [];
    if (environment[name]?.trim()) throw new SecretFileError(`${name} and ${name}_FILE are both set. Remove one.`);
    return [[name, contentOf(file, `${name}_FILE`)]];
  });
  return { ...environment, ...Object.fromEntries(read) };
}

function contentOf(file: string, setting: string): string {
  let content: string;
  try {
    content = readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new SecretFileError(`${setting} must name a readable file: ${reasonOf(cause)}.`, { cause });
  }
  if (content === '') throw new SecretFileError(`${setting} names ${file}, which is empty.`);
  return content;
}
