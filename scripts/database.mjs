/**
 * `npm run -s database -- PROGRAM [ARGUMENT …]`: runs a client program of Postgres (`pg_dump`, `pg_restore`, `psql`) on the
 * embedded database, which is started for it where it does not run, and made where there is none.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, installPackages } from './steps/prepare.mjs';
import { say, speakOnStandardError } from './steps/progress.mjs';
import { endWith, Explained, passSignalsOn, requireNode, ROOT, run } from './steps/run.mjs';

requireNode();
speakOnStandardError();
try {
  const [program, ...args] = process.argv.slice(2);
  if (!program) throw new Explained('usage: npm run -s database -- pg_dump -Fc -f nova.dump   (or another program)');
  if (process.env.DATABASE_URL?.trim()) throw new Explained('DATABASE_URL names the database: give it to the program.');
  await installPackages();
  await build(['api']);
  passSignalsOn();
  process.exitCode = await runOnDatabase(program, args);
} catch (error) {
  endWith(error);
}

async function runOnDatabase(program, args) {
  const module = path.join(ROOT, 'dist/apps/api/src/platform/embedded-postgres.js');
  const { ensurePostgres } = await import(pathToFileURL(module).href);
  const dataDir = path.resolve(ROOT, process.env.NOVA_DATA_DIR?.trim() || '.nova');
  const postgres = await ensurePostgres({ dataDir, log: say });
  const { hostname, port, username, password, pathname } = new URL(postgres.url);
  const settings = {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
    PGDATABASE: pathname.slice(1),
  };
  try {
    const { code } = await run(program, args, { env: { ...process.env, ...settings }, show: true });
    return code ?? 1;
  } catch (error) {
    throw error.code === 'ENOENT' ? new Explained(`There is no program ${program} here.`) : error;
  } finally {
    await postgres.stop();
  }
}
