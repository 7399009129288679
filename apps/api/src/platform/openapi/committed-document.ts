import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';

/**
 * The OpenAPI document of every call, as `npm run api:types` made it from the sources. It is committed, so that neither
 * a build nor a start has to read the types of the whole program; `openapi-coverage.spec.ts` fails when it is out of date.
 */
export const committedDocument = (): OpenAPIObject =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, 'openapi.json'), 'utf8')) as OpenAPIObject;
