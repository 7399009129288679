import type { ApplicationDto } from './application.dto.js';
import type { Application } from './applications.js';

/** An application as its developer sees it. */
export const toApplicationDto = (application: Application): ApplicationDto => ({
  id: application.clientId,
  clientId: application.clientId,
  name: application.name,
  description: application.description,
  logoUrl: application.logoUrl,
  applicationUrl: application.applicationUrl,
  redirectUris: [...application.redirectUris],
  scopes: [...application.scopes],
  isActive: application.isActive,
  isPublic: application.isPublic,
  requirePkce: application.requirePkce,
  deviceFlow: application.deviceFlow,
  createdAt: application.createdAt.toISOString(),
});
