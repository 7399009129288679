import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { LEDGER_STREAM, type Signing } from '@app/domain';
import type { NewEvent } from '@app/event-store';
import { markedMetadata, printEnvelope, readEnvelope } from '../envelope.js';
import { appendText, keyIdOf, rangeText, type SignedAppend, takeoverText } from './range.js';

/** The journal is signed by a key that this installation does not have, so nobody would accept its events. */
export class SigningKeyMissing extends Error {
  override readonly name = 'SigningKeyMissing';

  constructor({ publicKey }: Signing) {
    super(`the journal is signed by the key ${keyIdOf(publicKey)}, which is not here`);
  }
}

/** The journal's signer is not the trusted one, so nobody else would follow new events. */
export class SigningUnknown extends Error {
  override readonly name = 'SigningUnknown';

  constructor(signing: Signing | undefined, known: Signing | undefined, revision: number) {
    const [found, expected] = [signing, known].map((each) =>
      each ? `by the key ${keyIdOf(each.publicKey)} from revision ${each.since} on` : 'by nobody yet',
    );
    super(`the journal, which ends with revision ${revision}, is signed ${found}, and should be ${expected}`);
  }
}

/** A private key that signs a journal. */
export class JournalSigner {
  /** Ed25519, 64 hex digits. */
  readonly publicKey: string;

  constructor(private readonly key: KeyObject) {
    const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
    this.publicKey = Buffer.from(x, 'base64url').toString('hex');
  }

  /** @param jwk a private key as a JSON Web Key @throws Error it is none of the kind Ed25519 */
  static of(jwk: Readonly<Record<string, unknown>>): JournalSigner {
    const key = createPrivateKey({ format: 'jwk', key: { ...jwk } });
    if (key.asymmetricKeyType !== 'ed25519') throw new Error('it is not of the kind Ed25519');
    return new JournalSigner(key);
  }

  /**
   * The last event of an append with the signature over all. Made once for an append, whose repetitions bring the same.
   * @param first the revision of the first event
   */
  seal(journal: string, first: number, events: readonly NewEvent[]): NewEvent {
    const last = events.at(-1);
    const envelope = last && readEnvelope(last.metadata);
    if (envelope?.correlationId === undefined) throw new Error('only events with metadata of version 2 are signed');
    const metadata = events.map((event) => event.metadata);
    const range = { stream: LEDGER_STREAM, first, last: first + events.length - 1, hash: envelope.hash, metadata };
    const sig = this.sign(rangeText({ journal, publicKey: this.publicKey }, range));
    const mark = { first, key: keyIdOf(this.publicKey), sig };
    return { ...(last as NewEvent), metadata: printEnvelope({ ...envelope, range: mark }) };
  }

  /** The events of an append to another stream, the last one with the signature over all: for the same ones the same. */
  sealAppend(
    journal: string,
    append: SignedAppend,
  ): { readonly events: NewEvent[]; readonly text: string; readonly sig: string } {
    const { first, events } = append;
    const text = appendText({ journal, publicKey: this.publicKey }, append);
    const sig = this.sign(text);
    const mark = { first, key: keyIdOf(this.publicKey), sig };
    const sealed = events.map((event, place) =>
      place < events.length - 1 ? event : { ...event, metadata: markedMetadata(event.metadata, mark) },
    );
    return { events: sealed, text, sig };
  }

  /** @param text says in its first line what it is for @returns base64url */
  sign(text: string): string {
    return sign(undefined, Buffer.from(text), this.key).toString('base64url');
  }

  /** Proof that this key takes over from the current one. */
  proofFor(signing: Pick<Signing, 'journal' | 'publicKey'>): string {
    return this.sign(takeoverText(signing, this.publicKey));
  }
}
