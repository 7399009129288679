export * from './clock.js';
export * from './hash-chain.js';
export * from './journal-reader.js';
export * from './period-tree.js';
export {
  BATCH_BYTES_MAX,
  LedgerWriter,
  type LedgerWriterOptions,
  type SettledBatch,
  type WriterStats,
} from './ledger-writer.js';
export { factKeyHash, uuidV7Time } from './keys.js';
export * from './snapshots.js';
export * from './snapshot-follower.js';
export * from './threaded-journal.js';
export * from './turn.js';
export * from './writer-port.js';
