import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createPreview } from './create-app.js';
import { describeApi } from './describe-api.js';
import { readSettings } from './platform/config.js';
import { forApplications } from './platform/openapi/for-applications.js';

/**
 * `node dist/apps/api/src/openapi.js [FILE [FILE]]`: writes the OpenAPI document, and that of applications' calls, without a database
 * and whatever the environment says.
 */
const [file = 'openapi.json', ofApplications] = process.argv.slice(2);
const secrets = {
  session: '',
  sandboxApiKey: '',
  sandboxWebhookSecret: '',
  push: Buffer.alloc(32, 1),
  webhooks: Buffer.alloc(32, 1),
};
const document = describeApi(await createPreview({ ...readSettings({}), secrets }));
write(file, document);
if (ofApplications !== undefined) write(ofApplications, forApplications(document));

function write(name: string, content: object): void {
  writeFileSync(path.resolve(name), `${JSON.stringify(content, null, 2)}\n`);
  process.stderr.write(`Wrote ${path.resolve(name)}\n`);
}
