import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiCookieAuth, ApiForbiddenResponse, ApiUnauthorizedResponse } from '@nestjs/swagger';

export const ACCESS = 'nova:access';
export type Access = 'public' | 'admin';

/** Answers without a session. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(ACCESS, 'public' satisfies Access);

/** Admins only: 403 `ADMIN_ONLY` for other members. */
export const AdminOnly = (): MethodDecorator & ClassDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, 'admin' satisfies Access),
    ApiForbiddenResponse({ description: 'The member is not an admin.' }),
  );

/** Documents that a controller's calls need a session. */
export const NeedsSession = (): MethodDecorator & ClassDecorator =>
  applyDecorators(ApiCookieAuth(), ApiUnauthorizedResponse({ description: 'Nobody is signed in.' }));
