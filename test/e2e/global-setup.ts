import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { request } from '@playwright/test';
import { createTestDatabase } from '../support/postgres.js';
import { Product } from '../support/product.js';
import { ADMIN, ADMIN_STATE, URL_VARIABLE } from './installation.js';

/** Starts the product on an empty database of its own, with one admin, and returns a function that ends it. */
export default async function startInstallation(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'nova-e2e-'));
  // Accessible for the account that an embedded Postgres runs as.
  await chmod(dataDir, 0o711);
  const database = process.env['TEST_DATABASE_URL'] ? await createTestDatabase('e2e') : undefined;
  const product = await Product.start({
    dataDir,
    env: { ADMIN_EMAIL: ADMIN.email, ...(database ? { DATABASE_URL: database.url } : {}) },
  });
  process.env[URL_VARIABLE] = product.url;
  const context = await request.newContext({ baseURL: product.url });
  const registered = await context.post('/api/auth/register', {
    data: { ...ADMIN, tcConsent: true, tcVersion: '1.0' },
  });
  if (registered.status() !== 201) throw new Error(`The admin could not register: ${await registered.text()}`);
  process.env[ADMIN_STATE] = JSON.stringify(await context.storageState());
  await context.dispose();
  return async () => {
    await product.stop();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
