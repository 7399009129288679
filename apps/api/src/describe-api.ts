import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createPreview } from './create-app.js';
import { describeProvider } from './oauth/provider/describe-provider.js';
import { readSettings } from './platform/config.js';
import { completeDocument } from './platform/openapi/complete-document.js';
import { createOpenApiDocument } from './platform/openapi/document.js';

/**
 * The program of `scripts/describe-api.mjs`: writes the OpenAPI document of every call, those of the protocol included,
 * to the given file. It needs no database, and does what it does whatever the environment says.
 */
const secrets = {
  session: '',
  sandboxApiKey: '',
  sandboxWebhookSecret: '',
  push: Buffer.alloc(32, 1),
  webhooks: Buffer.alloc(32, 1),
};
const app = await createPreview({ ...readSettings({}), secrets });
const document = completeDocument(describeProvider(createOpenApiDocument(app)));
writeFileSync(path.resolve(process.argv[2] ?? 'openapi.json'), `${JSON.stringify(document, null, 2)}\n`);
