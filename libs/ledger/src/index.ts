export * from './checkpoints/checkpoint.js';
export { LogTree } from './checkpoints/log-tree.js';
export * from './clock.js';
export * from './envelope.js';
export * from './hash-chain.js';
export * from './journal-audit.js';
export * from './journal-reader.js';
export * from './linked-event.js';
export * from './packed-events.js';
export * from './period-tree.js';
export {
  type LedgerListener,
  LedgerWriter,
  type LedgerWriterOptions,
  type SettledBatch,
  type WriterStats,
} from './ledger-writer.js';
export { factKeyHash } from './keys.js';
export { keyIdOf, sealText } from './signing/range.js';
export { type EventSignature, type SignatureMark, signatureOf } from './signing/event-signature.js';
export { ForgedEvent, RangeReader, type ReadEvent } from './signing/range-reader.js';
export { JournalSigner, SigningKeyMissing, SigningUnknown } from './signing/signer.js';
export { journalIn, SignedStore, storedIn } from './signing/signed-store.js';
export { type JournalTrust, type TrustedKey } from './signing/trust.js';
export * from './snapshots.js';
export * from './snapshot-follower.js';
export * from './threaded-journal.js';
export * from './turn.js';
export * from './verified-ledger.js';
export * from './writer-port.js';
