import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiCookieAuth, ApiForbiddenResponse, ApiUnauthorizedResponse } from '@nestjs/swagger';

export const ACCESS = 'nova:access';
export type Access = 'public' | 'admin' | 'session or credential';

/** Answers without a session. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(ACCESS, 'public' satisfies Access);

export const CREDENTIAL = 'nova:credential';
/** Whether an `Authorization` header is one that the other guard judges. Any other is somebody else's: a proxy's, for instance. */
export type IsCredential = (authorization: string) => boolean;

/** Answers a session, and leaves requests with a credential to another guard, which must look at it. */
export const SessionOrCredential = (isCredential: IsCredential): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(ACCESS, 'session or credential' satisfies Access), SetMetadata(CREDENTIAL, isCredential));

/** Admins only: 403 `ADMIN_ONLY` for other members. */
export const AdminOnly = (): MethodDecorator & ClassDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, 'admin' satisfies Access),
    ApiForbiddenResponse({ description: 'The member is not an admin: `ADMIN_ONLY`.' }),
  );

/** Documents that a controller's calls need a session. */
export const NeedsSession = (): MethodDecorator & ClassDecorator =>
  applyDecorators(ApiCookieAuth(), ApiUnauthorizedResponse({ description: 'Nobody is signed in: `UNAUTHENTICATED`.' }));

export const FRESH_PROOF = 'nova:fresh-proof';
export type FreshProofRule = 'needed' | 'not needed';

/** Asks a member who has a passkey to have used it lately: 403 `FRESH_PROOF_NEEDED`. Writing calls of admins ask unasked. */
export const NeedsFreshProof = (): MethodDecorator =>
  applyDecorators(
    SetMetadata(FRESH_PROOF, 'needed' satisfies FreshProofRule),
    ApiForbiddenResponse({ description: 'The member has a passkey and must use it first: `FRESH_PROOF_NEEDED`.' }),
  );

/** A writing call of admins that moves no money and touches no account. `fresh-proof.spec.ts` names them all. */
export const NeedsNoFreshProof = (): MethodDecorator => SetMetadata(FRESH_PROOF, 'not needed' satisfies FreshProofRule);
