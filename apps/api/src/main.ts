import { existsSync } from 'node:fs';
import path from 'node:path';
import { createApp } from './create-app.js';
import { ConfigError, loadConfig } from './platform/config.js';

const CLIENT_FOLDER = path.resolve('dist/apps/web');

const log = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

async function start(): Promise<void> {
  const config = loadConfig(process.env);
  if (config.databaseUrl === undefined) throw new ConfigError('DATABASE_URL is not set.');
  const nova = await createApp({
    config,
    databaseUrl: config.databaseUrl,
    log,
    ...(existsSync(CLIENT_FOLDER) ? { clientFolder: CLIENT_FOLDER } : {}),
  });
  await nova.app.listen(config.port, '0.0.0.0');
  log(`Nova is ready at ${config.publicUrl}`);
}

await start();
