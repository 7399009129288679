import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { committedDocument } from './platform/openapi/committed-document.js';
import { forApplications } from './platform/openapi/for-applications.js';

/**
 * `node dist/apps/api/src/openapi.js [FILE [FILE]]`: writes the OpenAPI document that the API serves, and that of
 * applications' calls.
 */
const [file = 'openapi.json', ofApplications] = process.argv.slice(2);
const document = committedDocument();
write(file, document);
if (ofApplications !== undefined) write(ofApplications, forApplications(document));

function write(name: string, content: object): void {
  writeFileSync(path.resolve(name), `${JSON.stringify(content, null, 2)}\n`);
  process.stderr.write(`Wrote ${path.resolve(name)}\n`);
}
