import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { say, step } from './progress.mjs';
import { ROOT } from './run.mjs';

/**
 * One Postgres for all tests, with a database for each spec file (`test/support/postgres.ts`). It does not wait for the
 * disk (`fsync` off): its data is thrown away, and no test here kills it to see what survives. Tests that do, of the
 * embedded Postgres and of crashes, make their own clusters with `fsync` on. The address is the superuser's, who
 * creates the databases; each is used by a role of its own.
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startTestPostgres() {
  const given = process.env.TEST_DATABASE_URL?.trim();
  if (given) {
    say('Using the Postgres that TEST_DATABASE_URL names.');
    return { url: given, stop: async () => undefined };
  }
  const name = createHash('sha256').update(ROOT).digest('hex').slice(0, 12);
  const dataDir = path.join(tmpdir(), `nova-test-${name}`);
  const module = path.join(ROOT, 'dist/apps/api/src/platform/embedded-postgres.js');
  const { ensurePostgres, stopUnusedPostgres } = await import(pathToFileURL(module).href);
  const options = { dataDir, log: () => undefined, durability: 'none' };
  const inUse = () => existsSync(path.join(dataDir, 'postgres/postmaster.pid'));
  // A killed run may have left its server behind, or a cluster that did not survive the machine's crash.
  await stopUnusedPostgres(options).catch(() => undefined);
  if (!inUse()) rmSync(dataDir, { recursive: true, force: true });
  const server = await step('Starting Postgres for the tests', () => ensurePostgres(options));
  return {
    url: server.superuserUrl,
    async stop() {
      await server.stop();
      if (!inUse()) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The same Postgres behind a proxy that lets everything wait a little. */
export async function delayed({ url, stop }) {
  const proxy = fork(path.join(ROOT, 'test/support/delaying-proxy.cjs'), [url]);
  const [through] = await once(proxy, 'message');
  return {
    url: through,
    stop: async () => {
      proxy.disconnect();
      await stop();
    },
  };
}
