import { hash, randomInt } from 'node:crypto';
import { RECOVERY_CODES } from './limits.js';

/** Digits and capitals that are hard to confuse on paper (Crockford's base 32). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 4;
const GROUP_LENGTH = 6;

interface Queryable {
  query(sql: string, parameters: unknown[]): Promise<unknown>;
}

/** A code of 120 random bits: nobody can guess one, so a fast hash suffices. */
const newRecoveryCode = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join(''),
  ).join('-');

/** The stored hash of a code. Case, dashes and spaces do not matter, nor letters mistaken for digits. */
export const codeHash = (code: string): Buffer =>
  hash('sha256', code.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1'), 'buffer');

/** Replaces all codes of an account, in the caller's transaction; returns the new ones, which nobody can read again. */
export async function replaceCodes(manager: Queryable, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await removeCodes(manager, accountId);
  await manager.query(
    'insert into recovery_codes (account_id, code_hash) select $1, hash from unnest($2::bytea[]) as given (hash)',
    [accountId, codes.map(codeHash)],
  );
  return codes;
}

export async function removeCodes(manager: Queryable, accountId: string): Promise<void> {
  await manager.query('delete from recovery_codes where account_id = $1', [accountId]);
}
