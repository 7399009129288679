import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { describeProvider } from './oauth/provider/describe-provider.js';
import { completeDocument } from './platform/openapi/complete-document.js';
import { createOpenApiDocument } from './platform/openapi/document.js';

/** The OpenAPI document of every call, with those of the protocol. */
export const describeApi = (app: INestApplication): OpenAPIObject =>
  completeDocument(describeProvider(createOpenApiDocument(app)));
