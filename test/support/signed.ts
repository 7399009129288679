import path from 'node:path';
import { openInstallation } from '../../apps/api/src/finance/installation.js';
import { beginSigningOfNew } from '../../apps/api/src/finance/signing.js';
import { JournalKeys } from '../../apps/api/src/platform/ledger/journal-keys.js';
import type { TestDatabase } from './postgres.js';

/** As the first start of an installation with a Postgres of its own does. */
export async function signNewJournal(database: TestDatabase, dataDir: string): Promise<void> {
  const keys = new JournalKeys(path.join(dataDir, 'journal'));
  const options = { log: () => undefined, journalWorker: new URL('file:///none'), everySignature: false, keys };
  const installation = await openInstallation(
    { url: database.url, stop: () => Promise.resolve() },
    { ...options, eventStoreUrl: undefined, journalEnvelope: undefined },
  );
  await beginSigningOfNew(installation);
  await installation.close();
}
