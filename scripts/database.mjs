/**
 * `npm run -s database -- PROGRAM [ARGUMENT …]`: runs a client program of Postgres (`pg_dump`, `pg_restore`, `psql`) on
 * the embedded database. Starts the database if it does not run, and creates it for programs that fill it. The program
 * runs as the superuser, which a base backup and dumps of earlier releases need; the next start gives the product the
 * new objects.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, installPackages } from './steps/prepare.mjs';
import { say, speakOnStandardError } from './steps/progress.mjs';
import { endWith, Explained, passSignalsOn, requireNode, ROOT, run } from './steps/run.mjs';
import { isGiven, withoutSecrets } from './steps/secrets.mjs';

/** Other programs create no database: a backup of nothing would be noticed only when it is needed. */
const FILLING = ['pg_restore', 'psql'];

requireNode();
speakOnStandardError();
try {
  const [program, ...args] = process.argv.slice(2);
  if (!program) throw new Explained('usage: npm run -s database -- pg_dump -Fc -f nova.dump   (or another program)');
  if (isGiven('DATABASE_URL')) throw new Explained('DATABASE_URL names the database. Pass it to the program.');
  await installPackages();
  await build(['api']);
  passSignalsOn();
  process.exitCode = await runOnDatabase(program, args);
} catch (error) {
  endWith(error);
}

function platform(file) {
  return import(pathToFileURL(path.join(ROOT, 'dist/apps/api/src/platform', file)).href);
}

async function runOnDatabase(program, args) {
  const { ensurePostgres } = await platform('embedded-postgres.js');
  const { hasDatabase } = await platform('embedded-postgres-location.js');
  const dataDir = path.resolve(ROOT, process.env.NOVA_DATA_DIR?.trim() || '.nova');
  if (!hasDatabase(dataDir) && !FILLING.includes(path.basename(program))) {
    throw new Explained(`There is no database in ${dataDir}. Set NOVA_DATA_DIR to the folder of the installation.`);
  }
  const postgres = await ensurePostgres({ dataDir, log: say });
  const { hostname, port, username, password, pathname } = new URL(postgres.superuserUrl);
  const settings = {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
    PGDATABASE: pathname.slice(1),
  };
  try {
    const { code } = await run(program, args, { env: { ...withoutSecrets(process.env), ...settings }, show: true });
    return code ?? 1;
  } catch (error) {
    throw error.code === 'ENOENT' ? new Explained(`The program ${program} is not installed here.`) : error;
  } finally {
    await postgres.stop();
  }
}
