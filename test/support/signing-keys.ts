import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

const KEPT = path.resolve(import.meta.dirname, '../../.cache/signing-keys');

/**
 * A new installation makes the key that signs id tokens, which takes a second of a core. One of the tests'
 * installations makes it each day, and the others begin with a copy. The day is in the name because another key is
 * added each quarter.
 */
const today = (): string => path.join(KEPT, new Date().toISOString().slice(0, 10));
const keysOf = (dataDir: string): string => path.join(dataDir, 'secrets/oidc-keys');

/** Before an installation's first start. */
export function lendSigningKeys(dataDir: string): void {
  if (existsSync(keysOf(dataDir)) || !existsSync(today())) return;
  mkdirSync(path.dirname(keysOf(dataDir)), { recursive: true, mode: 0o700 });
  cpSync(today(), keysOf(dataDir), { recursive: true });
}

/** After the first start. The first installation provides the day's key; a failure does no harm. */
export function keepSigningKeys(dataDir: string): void {
  if (existsSync(today()) || !existsSync(keysOf(dataDir))) return;
  const draft = path.join(KEPT, `draft-${randomUUID()}`);
  try {
    cpSync(keysOf(dataDir), draft, { recursive: true });
    renameSync(draft, today());
  } catch {
    rmSync(draft, { recursive: true, force: true });
  }
}
