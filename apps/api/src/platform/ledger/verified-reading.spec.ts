import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SOURCES = path.resolve('apps/api/src');
const AS_STORED = /(?:readStream|head)\(LEDGER_STREAM|\b(?:journalE|e)ventAt\(|new StoredLedger\(|\basStored\b/;

/** Who reads the ledger as it is stored, whoever wrote it, and why that is no answer about what has happened. */
const ALLOWED: Readonly<Record<string, string>> = {
  'admin/queries/get-event.ts': 'shows an auditor what nobody signed, and says so',
  'backup/make-backup.ts': 'the end that a restored store is held to: it is compared, whoever wrote it',
  'wallet/journal-events.ts': 'gives it to them',
  'finance/books.ts': 'where an export ends: whoever walks to there stops at what nobody signed',
  'finance/cli.ts': 'where a replay or an export ends, likewise',
  'finance/cli-books.ts': 'moments in a terminal: figures are of read models, which end there',
  'finance/journal-walk.ts': 'how far there is to read; what is read is checked',
  'finance/replay.ts': 'likewise',
  'finance/catch-up.ts': 'how far read models have to come',
  'finance/exports/dollar-books.ts':
    'whether Nova was bought with real money: the export itself stops at what nobody signed',
  'finance/import.ts': 'writes the journal',
  'finance/move-journal.ts': 'copies what is stored',
  'finance/signing.ts': 'looks at what stands behind the last signature',
  'platform/journal/journal-health.ts': 'whether the store answers',
  'platform/journal/require-own-journal.ts': 'whether the store holds what read models followed',
  'platform/journal/stream-metadata.ts': 'in which version metadata is written',
};

test('everybody else reads the ledger as far as it is signed: VerifiedLedger', () => {
  const found = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('spec.ts') && !file.includes('/testing/'))
    .filter((file) => AS_STORED.test(readFileSync(path.join(SOURCES, file), 'utf8')))
    .map((file) => file.replaceAll(path.sep, '/'));
  expect(found.toSorted()).toEqual(Object.keys(ALLOWED).toSorted());
});
