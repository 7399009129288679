import type { OpenAPIObject } from '@nestjs/swagger';
import { forApplications } from './for-applications.js';

/** `/llms.txt` (llmstxt.org): the calls that applications make, from the document itself. */
export function llmsText(document: OpenAPIObject): string {
  const { info, paths, tags = [] } = forApplications(document);
  const calls = Object.entries(paths).flatMap(([path, { get, post, patch, delete: remove }]) => [
    ...(get ? [{ ...get, call: `GET ${path}` }] : []),
    ...(post ? [{ ...post, call: `POST ${path}` }] : []),
    ...(patch ? [{ ...patch, call: `PATCH ${path}` }] : []),
    ...(remove ? [{ ...remove, call: `DELETE ${path}` }] : []),
  ]);
  return [
    `# ${info.title} API`,
    `> ${info.description ?? ''}`,
    'Repeat a command with the same `Idempotency-Key` when no answer came, or after `Retry-After` with 429 and 503.',
    '## Documents',
    [
      '- [OpenAPI document](/api/openapi.json): every call with schemas, examples and refusals',
      '- [API reference](/api/docs): the same to read and try',
      '- [Discovery](/.well-known/openid-configuration): OpenID Connect metadata',
    ].join('\n'),
    ...tags.flatMap(({ name, description }) => [
      `## ${name}`,
      description ?? '',
      calls
        .filter((call) => call.tags?.includes(name))
        .map(({ call, operationId, summary }) => `- \`${call}\` (${operationId}): ${summary}`)
        .join('\n'),
    ]),
  ].join('\n\n');
}
