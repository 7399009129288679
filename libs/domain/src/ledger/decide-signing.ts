import type { CommandOf } from './commands.js';
import type { Ruling } from './decide.js';
import { refuse } from './funds.js';
import type { LedgerState } from './state.js';

/** What names a journal: 16 bytes. As a part of a pattern. */
export const JOURNAL_DIGITS = '[0-9a-f]{32}';
/** What a public key is written as: the 32 bytes of Ed25519. As a part of a pattern. */
export const PUBLIC_KEY_DIGITS = '[0-9a-f]{64}';

const JOURNAL = new RegExp(`^${JOURNAL_DIGITS}$`);
const PUBLIC_KEY = new RegExp(`^${PUBLIC_KEY_DIGITS}$`);
const SIGNATURE = /^[\w-]{86}$/;

/** Who signs the journal. That a key can be used, and whose it is, is not for the rules to say: whoever signs or reads checks it. */
export function decideSigning(
  { signing }: LedgerState,
  command: CommandOf<'BeginSigning' | 'ChangeSigningKey'>,
): Ruling {
  const { streams } = command;
  const scope = streams && { streams };
  if (streams !== undefined && streams !== 'all') {
    return refuse({ code: 'INVALID_COMMAND', message: 'A key signs all streams or the ledger alone.' });
  }
  if (!PUBLIC_KEY.test(command.publicKey)) {
    return refuse({ code: 'INVALID_COMMAND', message: 'The public key is not 64 hex digits.' });
  }
  if (command.type === 'BeginSigning') {
    const { journal, publicKey } = command;
    if (!JOURNAL.test(journal)) {
      return refuse({ code: 'INVALID_COMMAND', message: 'The name of the journal is not 32 hex digits.' });
    }
    if (signing?.journal === journal) {
      return refuse({ code: 'ALREADY_SIGNED', message: 'This journal is signed already.' });
    }
    return [{ type: 'SigningBegan', journal, publicKey, ...scope, entries: [] }];
  }
  const { publicKey, proof } = command;
  if (!SIGNATURE.test(proof)) return refuse({ code: 'INVALID_COMMAND', message: 'The proof is no signature.' });
  if (!signing) return refuse({ code: 'NOT_SIGNED', message: 'This journal is not signed: begin with that.' });
  if (signing.publicKey === publicKey) {
    return refuse({ code: 'ALREADY_SIGNED', message: 'This key signs the journal already.' });
  }
  return [{ type: 'SigningKeyChanged', publicKey, proof, ...scope, entries: [] }];
}
