import type { Fact, LedgerFact } from '../events.js';
import { refuse } from '../funds.js';
import { invariant } from '../invariant.js';
import type { LedgerState } from '../state.js';
import { COUNTS_NOWHERE, type Movement, type Ruling } from './movement.js';

/** Whether the key also signs the other streams from its beginning on; absent in journals that sign only the ledger. */
export interface SigningScope {
  readonly streams?: 'all';
}

/** From now on this key signs every event, as the journal of this name. */
export interface BeginSigning extends SigningScope {
  readonly type: 'BeginSigning';
  readonly journal: string;
  readonly publicKey: string;
}

export interface ChangeSigningKey extends SigningScope {
  readonly type: 'ChangeSigningKey';
  readonly publicKey: string;
  readonly proof: string;
}

/** From this event on, itself included, every event of the journal is in a signed range (`docs/ledger.md`). */
export interface SigningBegan extends Fact<'SigningBegan'>, SigningScope {
  /** Which journal it is: 32 hex digits, in every signed text. */
  readonly journal: string;
  /** The Ed25519 key that signs: its 32 bytes as 64 hex digits. */
  readonly publicKey: string;
}

/** Another key signs later events; the previous key signs this one. */
export interface SigningKeyChanged extends Fact<'SigningKeyChanged'>, SigningScope {
  readonly publicKey: string;
  /** The new key's own signature, base64url: proof that the new key is in hand. */
  readonly proof: string;
}

/** Whether an event, or a command, of this type begins a signed journal. Types are known before anything is decoded. */
export const beginsSigning = (type: string): boolean => type === 'SigningBegan' || type === 'BeginSigning';

/** Whether another key signs the events after one of this type. */
export const changesSigningKey = (type: string): boolean => type === 'SigningKeyChanged';

export const signingBegunBy = (fact: LedgerFact): SigningBegan | undefined =>
  fact.type === 'SigningBegan' ? fact : undefined;

export const signingKeyChangedBy = (fact: LedgerFact): SigningKeyChanged | undefined =>
  fact.type === 'SigningKeyChanged' ? fact : undefined;

/** The id of a journal, 16 bytes, as a part of a pattern. */
export const JOURNAL_DIGITS = '[0-9a-f]{32}';
/** The 32 bytes of a public Ed25519 key, as a part of a pattern. */
export const PUBLIC_KEY_DIGITS = '[0-9a-f]{64}';

const JOURNAL = new RegExp(`^${JOURNAL_DIGITS}$`);
const PUBLIC_KEY = new RegExp(`^${PUBLIC_KEY_DIGITS}$`);
const SIGNATURE = /^[\w-]{86}$/;

const scopeOf = ({ streams }: SigningScope): SigningScope => (streams ? { streams } : {});

/** The rules do not judge whether a key is usable or trusted: signers and readers check that. */
function keyRejection({ streams, publicKey }: BeginSigning | ChangeSigningKey) {
  if (streams !== undefined && streams !== 'all') {
    return refuse({ code: 'INVALID_COMMAND', message: 'A key signs all streams or the ledger alone.' });
  }
  if (!PUBLIC_KEY.test(publicKey)) {
    return refuse({ code: 'INVALID_COMMAND', message: 'The public key is not 64 hex digits.' });
  }
  return undefined;
}

function begin({ signing: current }: LedgerState, command: BeginSigning): Ruling {
  const { journal, publicKey } = command;
  const unusable = keyRejection(command);
  if (unusable) return unusable;
  if (!JOURNAL.test(journal)) {
    return refuse({ code: 'INVALID_COMMAND', message: 'The name of the journal is not 32 hex digits.' });
  }
  if (current?.journal === journal) {
    return refuse({ code: 'ALREADY_SIGNED', message: 'This journal is signed already.' });
  }
  return [{ type: 'SigningBegan', journal, publicKey, ...scopeOf(command), entries: [] }];
}

function changeKey({ signing: current }: LedgerState, command: ChangeSigningKey): Ruling {
  const { publicKey, proof } = command;
  const unusable = keyRejection(command);
  if (unusable) return unusable;
  if (!SIGNATURE.test(proof)) return refuse({ code: 'INVALID_COMMAND', message: 'The proof is no signature.' });
  if (!current) return refuse({ code: 'NOT_SIGNED', message: 'This journal is not signed: begin with that.' });
  if (current.publicKey === publicKey) {
    return refuse({ code: 'ALREADY_SIGNED', message: 'This key signs the journal already.' });
  }
  return [{ type: 'SigningKeyChanged', publicKey, proof, ...scopeOf(command), entries: [] }];
}

/**
 * Who signs the journal. A key's first signature covers the beginning itself; the previous key signs a change of the
 * key.
 */
export const signing: Movement<BeginSigning | ChangeSigningKey, SigningBegan | SigningKeyChanged, never> = {
  commands: { BeginSigning: begin, ChangeSigningKey: changeKey },
  events: {
    SigningBegan: {
      fields: { journal: 'text', publicKey: 'text', streams: 'optional-text' },
      effect: (state, event) => {
        const { journal, publicKey } = event;
        state.setSigning({ journal, publicKey, since: state.revision, ...scopeOf(event) });
      },
      posts: null,
      cameFrom: (event) => {
        const { journal, publicKey } = event;
        return { type: 'BeginSigning', journal, publicKey, ...scopeOf(event) };
      },
      onceOnly: ({ journal }) => `beginning of the signed journal ${journal}`,
      sentence: () => 'The journal was signed from here on',
      statementRows: null,
      ...COUNTS_NOWHERE,
    },
    SigningKeyChanged: {
      fields: { publicKey: 'text', proof: 'text', streams: 'optional-text' },
      effect: (state, event) => {
        const { signing: current } = state;
        invariant(current !== undefined, 'a key changes in a signed journal only');
        const { publicKey } = event;
        state.setSigning({
          journal: current.journal,
          publicKey,
          since: state.revision + 1,
          ...scopeOf(event),
        });
      },
      posts: null,
      cameFrom: (event) => {
        const { publicKey, proof } = event;
        return { type: 'ChangeSigningKey', publicKey, proof, ...scopeOf(event) };
      },
      onceOnly: null,
      sentence: () => 'The key that signs the journal was changed',
      statementRows: null,
      ...COUNTS_NOWHERE,
    },
  },
  rows: {},
};
