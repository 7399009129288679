import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../../..');

/** What opens a connection to another program. */
const CONNECTS =
  /\bfetch\(|\bopenPool\(|new (?:pg\.)?(?:Client|Pool|DataSource)\(|createTransport\(|new Stripe\(|new S3Client\(|new OTLPTraceExporter\(|EventStoreDBClient\.connectionString\(|\bhttps?2?\.(?:request|get|connect)\(|\b(?:net|tls)\.connect\(|\bcreateConnection\(|new WebSocket\(|\bundici\b/;

/** The places that do, by what they reach; the setting that names it stands in the table of `docs/operations.md`. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  DATABASE_URL: [
    'apps/api/src/backup/backup-cli.ts',
    'apps/api/src/backup/make-backup.ts',
    'apps/api/src/backup/restore-backup.ts',
    'apps/api/src/finance/installation.ts',
    'apps/api/src/identity/accounts-cli.ts',
    'apps/api/src/platform/database/data-source.ts',
    'apps/api/src/platform/embedded-postgres.ts',
    'apps/api/src/platform/ledger/open-ledger.ts',
    'apps/api/src/platform/ledger/snapshot-worker.ts',
    'libs/event-store/src/postgres/channel-listener.ts',
    'libs/event-store/src/postgres/group-appender.ts',
    'libs/event-store/src/postgres/open-pool.ts',
    'libs/event-store/src/postgres/postgres-event-store.ts',
    'libs/ledger/src/turn.ts',
    'libs/projections/src/rebuild/digest.ts',
    'libs/projections/src/rebuild/rebuild-log.ts',
    'libs/projections/src/rebuild/replica.ts',
    'libs/projections/src/runner/projection-runner.ts',
  ],
  DATABASE_OWNER_URL: ['apps/api/src/finance/journal-owner.ts'],
  EVENTSTORE_URL: ['libs/event-store/src/eventstoredb/shared-client.ts'],
  STRIPE_SECRET_KEY: ['apps/api/src/payments/payment-gateway.ts'],
  S3_ENDPOINT: ['apps/api/src/platform/uploads/files/s3-file-store.ts'],
  CHECKPOINT_WEBHOOK: ['apps/api/src/finance/checkpoints/checkpoint-targets.ts'],
  SMTP_URL: ['apps/api/src/identity/mail/mailer.ts'],
  // The one place that reaches what strangers name: public addresses alone.
  VAPID_PRIVATE_KEY: ['apps/api/src/platform/http/public-request.ts'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['apps/api/src/platform/tracing/start-tracing.ts'],
  // The stand-in for Stripe tells this very server.
  PORT: ['libs/stripe-stand-in/src/webhook-delivery.ts', 'apps/api/src/payments/reconciliation/reconciliation-cli.ts'],
};

const sources = ['apps/api/src', 'libs'].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !/\.(?:spec|suite)\.ts$/.test(entry.name))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((file) => !file.includes('/testing/')),
);
const codeOf = (file: string): string =>
  readFileSync(path.join(ROOT, file), 'utf8').replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');

/**
 * The server reaches what its configuration names, and nothing that a request, a row or a package names: except for push
 * services, which browsers name, at public addresses.
 */
describe('connections to other programs', () => {
  it('are opened in known places alone', () => {
    expect(sources.length).toBeGreaterThan(500);
    const connecting = sources.filter((file) => CONNECTS.test(codeOf(file)));
    const known = Object.values(KNOWN).flat();
    expect(connecting.length).toBeGreaterThan(15);
    expect(connecting.filter((file) => !known.includes(file))).toEqual([]);
  });

  it('go where the table of the operations page says', () => {
    const operations = readFileSync(path.join(ROOT, 'docs/operations.md'), 'utf8');
    const [, table = ''] = /^### What the server connects to\n(.*?)^## /ms.exec(operations) ?? [];
    const rows = [...table.matchAll(/^\| .* \| (.*?) +\| (.*?) +\|$/gm)].map(([row]) => row);
    for (const setting of Object.keys(KNOWN)) {
      expect([setting, rows.filter((row) => row.includes(`\`${setting}\``)).length]).toEqual([setting, 1]);
    }
  });
});
