import path from 'node:path';
import { type Installation, openInstallation } from '../../apps/api/src/finance/installation.js';
import { beginSigningOfNew } from '../../apps/api/src/finance/signing.js';
import { JournalKeys } from '../../apps/api/src/platform/ledger/journal-keys.js';
import type { TestDatabase } from './postgres.js';

/** What a command in the terminal does with an installation whose journal is in Postgres. */
export async function onInstallation<T>(
  { url }: TestDatabase,
  dataDir: string,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const keys = new JournalKeys(path.join(dataDir, 'journal'));
  const options = { log: () => undefined, journalWorker: new URL('file:///none'), everySignature: false, keys };
  const installation = await openInstallation(
    { url, stop: () => Promise.resolve() },
    { ...options, eventStoreUrl: undefined, journalEnvelope: undefined },
  );
  try {
    return await work(installation);
  } finally {
    await installation.close();
  }
}

/** As the first start of an installation with a Postgres of its own does. */
export const signNewJournal = (database: TestDatabase, dataDir: string): Promise<void> =>
  onInstallation(database, dataDir, beginSigningOfNew);
