import { generateKeyPairSync } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { JOURNAL_DIGITS, PUBLIC_KEY_DIGITS } from '@app/domain';
import {
  JournalSigner,
  type JournalTrust,
  keyIdOf,
  type LedgerWriter,
  SigningKeyMissing,
  SigningUnknown,
  type SnapshotSigning,
  type TrustedKey,
} from '@app/ledger';
import { Explained, reasonOf } from '../errors/explained.js';

const KEY_FILE = /^key-[0-9a-f]{16}\.json$/;
const TRUST_FILE = 'trust.json';
const TRUSTED_KEY = new RegExp(`^(${JOURNAL_DIGITS}):(${PUBLIC_KEY_DIGITS}):(\\d{1,15})$`);

/**
 * What an installation signs its journal with, and knows it by: files of mode 0600 in a folder outside the database, which
 * whoever may write to the database cannot change. Servers that do not share the folder are given both by their environment.
 */
export class JournalKeys {
  private readonly known = new Map<string, JournalSigner>();
  private added: JournalTrust | undefined;

  constructor(
    readonly folder: string,
    /** `JOURNAL_KEY` and `JOURNAL_TRUST`. */
    readonly given: { readonly key?: string | undefined; readonly trust?: string | undefined } = {},
  ) {}

  /** @throws Explained a key that is there cannot be read */
  readonly signerFor = (publicKey: string): JournalSigner | undefined => {
    if (!this.known.has(publicKey)) for (const signer of this.signers()) this.known.set(signer.publicKey, signer);
    return this.known.get(publicKey);
  };

  /** For `PostgresSnapshots`: undefined while nothing says whose signatures hold. @throws Explained */
  snapshotSigning(): SnapshotSigning | undefined {
    const trust = this.trust();
    return trust && { trust, signerFor: this.signerFor };
  }

  /** The keys at hand, that of the environment first. @throws Explained */
  signers(): JournalSigner[] {
    const { key } = this.given;
    return [
      ...(key === undefined ? [] : [signerOf(key, 'JOURNAL_KEY')]),
      ...this.files(KEY_FILE).map((file) => signerOf(readFileSync(file, 'utf8'), file)),
    ];
  }

  /** A new key, on the disk before anything is signed with it. */
  make(): JournalSigner {
    const { privateKey } = generateKeyPairSync('ed25519');
    const signer = new JournalSigner(privateKey);
    this.put(`key-${keyIdOf(signer.publicKey)}.json`, JSON.stringify(privateKey.export({ format: 'jwk' })));
    return signer;
  }

  /** Undefined while nobody wrote down which journal is ours. @throws Explained */
  trust(): JournalTrust | undefined {
    const given = this.given.trust;
    if (this.added) return this.added;
    if (given !== undefined) return trustOf(given.split(','), 'JOURNAL_TRUST');
    const file = path.join(this.folder, TRUST_FILE);
    return existsSync(file) ? trustOf(readFileSync(file, 'utf8').trim().split('\n'), file) : undefined;
  }

  /** Takes a key for the journal's from a revision on. Where the environment says whom to trust, it must be told as well. */
  trustIn(key: TrustedKey): void {
    const known = this.trust() ?? [];
    if (known.some(({ publicKey, from }) => publicKey === key.publicKey && from === key.from)) return;
    const trust = [...known, key];
    this.put(TRUST_FILE, `${trust.map(trustText).join('\n')}\n`);
    this.added = trust;
  }

  private files(name: RegExp): string[] {
    if (!existsSync(this.folder)) return [];
    return readdirSync(this.folder)
      .filter((file) => name.test(file))
      .map((file) => path.join(this.folder, file));
  }

  private put(name: string, text: string): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const file = path.join(this.folder, name);
    const draft = `${file}.${process.pid}`;
    writeDurably(draft, text);
    renameSync(draft, file);
    const folder = openSync(this.folder, 'r');
    fsyncSync(folder);
    closeSync(folder);
  }
}

/**
 * Starts a writer, which is to know the journal for ours and to have the key that signs it.
 * @throws Explained one of the two is not so
 */
export async function startSigned(writer: LedgerWriter, keys: JournalKeys): Promise<void> {
  try {
    await writer.start();
  } catch (error) {
    if (error instanceof SigningKeyMissing) {
      throw new Explained(
        `The journal cannot be written to: ${error.message}. It belongs in the folder journal of NOVA_DATA_DIR, or in JOURNAL_KEY.`,
        { cause: error },
      );
    }
    if (!(error instanceof SigningUnknown)) throw error;
    throw new Explained(
      `The journal is not the one that JOURNAL_TRUST names: ${error.message}. docs/signed-journal.md says what to do.`,
      { cause: error },
    );
  }
  if (writer.signing && !keys.trust()) {
    throw new Explained(
      'The journal is signed, and nothing here says who should have signed it. Set JOURNAL_TRUST to the line that `npm run -s ledger -- signing` printed where signing began.',
    );
  }
}

/** As `JOURNAL_TRUST` has it. */
export const trustText = ({ journal, publicKey, from }: TrustedKey): string => `${journal}:${publicKey}:${from}`;

function writeDurably(file: string, text: string): void {
  const opened = openSync(file, 'w', 0o600);
  writeSync(opened, text);
  fsyncSync(opened);
  closeSync(opened);
}

/** Never a part of a message: the key is secret. */
function signerOf(text: string, where: string): JournalSigner {
  try {
    return JournalSigner.of(JSON.parse(text) as Record<string, unknown>);
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : reasonOf(error);
    throw new Explained(`${where} must hold a private Ed25519 key as a JSON Web Key: ${why}.`);
  }
}

function trustOf(lines: readonly string[], where: string): JournalTrust {
  const trust = lines.map((line) => trustedKeyOf(line, where));
  if (trust.every(({ from }, place) => place === 0 || from > (trust[place - 1]?.from ?? 0))) return trust;
  throw new Explained(`${where} must name the keys in the order in which they sign.`);
}

function trustedKeyOf(text: string, where: string): TrustedKey {
  const [, journal, publicKey, from] = TRUSTED_KEY.exec(text.trim()) ?? [];
  if (journal === undefined || publicKey === undefined) {
    throw new Explained(
      `${where} must say where our journal begins to be signed, as \`npm run -s ledger -- signing\` prints it.`,
    );
  }
  return { journal, publicKey, from: Number(from) };
}
