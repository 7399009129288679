import type { EventStore } from '@app/event-store';
import { type EnvelopeVersion, LedgerWriter, PostgresClock, PostgresSnapshots, PostgresTurn } from '@app/ledger';
import { KeyIndexQueries } from '@app/projections';
import type pg from 'pg';
import { chosenEnvelope, StreamMetadata } from '../platform/journal/stream-metadata.js';
import { type JournalKeys, startSigned } from '../platform/ledger/journal-keys.js';
import { SeenHead } from '../platform/ledger/seen-head.js';

export interface TerminalLedgerParts {
  readonly store: EventStore;
  readonly pool: pg.Pool;
  readonly databaseUrl: string;
  /** As the environment sets it. */
  readonly journalEnvelope: EnvelopeVersion | undefined;
  readonly keys: JournalKeys;
  /** The journal's private key is gone, and the work is a new beginning. */
  readonly isKeyLost?: boolean;
  /** The work vouches for the journal anew, also where it is shorter than it was seen. */
  readonly isShorterTaken?: boolean;
}

/** Work with a ledger of its own, beside the servers that run. */
export async function withTerminalLedger<T>(
  { store, pool, databaseUrl, journalEnvelope, keys, isKeyLost = false, isShorterTaken = false }: TerminalLedgerParts,
  work: (ledger: LedgerWriter, clock: PostgresClock, metadata: StreamMetadata) => Promise<T>,
): Promise<T> {
  const seen = new SeenHead(keys.folder);
  if (keys.trust() && !isShorterTaken) await seen.requireIn(store);
  const turn = new PostgresTurn({ connectionString: databaseUrl });
  const clock = new PostgresClock(pool);
  const envelope = keys.trust() ? 2 : await chosenEnvelope(store, journalEnvelope);
  const writer = new LedgerWriter({
    store,
    envelope,
    clock,
    keyIndex: new KeyIndexQueries(pool),
    turn,
    snapshots: new PostgresSnapshots(pool, undefined, keys.snapshotSigning()),
    signerFor: keys.signerFor,
    trust: keys.trust(),
    isKeyLost,
  });
  try {
    await clock.start();
    await startSigned(writer, keys);
    return await work(writer, clock, new StreamMetadata(envelope));
  } finally {
    await writer.stop();
    if (keys.trust()) await seen.see(writer.head);
    clock.stop();
    await turn.close();
  }
}
