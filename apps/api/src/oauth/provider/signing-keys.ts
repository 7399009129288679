import { generateKeyPair, type JsonWebKey } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { DAY_MS } from '@app/domain';
import { v7 as uuidv7 } from 'uuid';
import { errorCode } from '../../platform/errors/error-code.js';

/** Each quarter has a new key. */
const QUARTER_MS = 90 * DAY_MS;
/** About as hard to break as 128 bits. */
const RSA_BITS = 3072;
const FILE = /^quarter-(\d+)\.json$/;

interface StoredKey {
  readonly quarter: number;
  readonly key: JsonWebKey;
}

/**
 * The keys that sign id tokens: a file each (mode 0600) in `folder`, the one that signs first. A start in a new quarter
 * adds a key that signs from the next quarter on. By then, servers that started earlier, and clients that keep the set,
 * know it, unless they run for more than a quarter. Servers that share the folder may start at once: the first to store
 * a quarter's key decides.
 */
export async function signingKeys(folder: string, now = Date.now()): Promise<JsonWebKey[]> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const quarter = Math.floor(now / QUARTER_MS);
  if (!storedKeys(folder).some((stored) => stored.quarter === quarter)) await makeKey(folder, quarter);
  const all = storedKeys(folder);
  for (const old of all) if (old.quarter < quarter - 1) rmSync(fileOf(folder, old.quarter), { force: true });
  const published = all.filter((stored) => stored.quarter >= quarter - 1);
  return published.map(({ key }) => key);
}

const fileOf = (folder: string, quarter: number): string => path.join(folder, `quarter-${quarter}.json`);

/** The oldest first. */
function storedKeys(folder: string): StoredKey[] {
  const quarters = readdirSync(folder).flatMap((name) => FILE.exec(name)?.[1] ?? []);
  const keys = quarters.map(
    (quarter) => JSON.parse(readFileSync(fileOf(folder, Number(quarter)), 'utf8')) as StoredKey,
  );
  return keys.toSorted((a, b) => a.quarter - b.quarter);
}

const generate = promisify(generateKeyPair);

async function makeKey(folder: string, quarter: number): Promise<void> {
  const { privateKey } = await generate('rsa', { modulusLength: RSA_BITS });
  const key = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' };
  const draft = path.join(folder, `draft-${uuidv7()}`);
  try {
    writeFileSync(draft, JSON.stringify({ quarter, key } satisfies StoredKey), { mode: 0o600 });
    linkSync(draft, fileOf(folder, quarter));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
