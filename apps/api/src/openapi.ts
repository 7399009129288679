import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createPreview } from './create-app.js';
import { describeApi } from './describe-api.js';
import { readSettings } from './platform/config.js';

/** `node dist/apps/api/src/openapi.js [FILE]`: writes the OpenAPI document, without a database and whatever the environment says. */
const file = path.resolve(process.argv[2] ?? 'openapi.json');
const secrets = { session: '', sandboxApiKey: '', sandboxWebhookSecret: '', push: Buffer.alloc(32, 1) };
const app = await createPreview({ ...readSettings({}), secrets });
writeFileSync(file, `${JSON.stringify(describeApi(app), null, 2)}\n`);
process.stderr.write(`Wrote ${file}\n`);
