import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';

const { Check, base } = interactionPolicy;

/**
 * When a member is asked (rule oauth-12): always, unless everything that is requested was granted before. What they
 * refused they are asked about again, except that `prompt=none` takes their refusal for an answer.
 */
export function createInteractionPolicy(): interactionPolicy.DefaultPolicy {
  const policy = base();
  const consent = policy.get('consent');
  if (!consent) throw new Error('the provider asks nobody for consent');
  const { checks } = consent;
  for (const reason of ['op_scopes_missing', 'native_client_prompt']) checks.remove(reason);
  checks.add(
    new Check('op_scopes_missing', 'requested scopes not granted', 'consent_required', ({ oidc }) =>
      isScopeMissing(oidc),
    ),
  );
  checks.add(
    new Check('loopback_client', 'the member must decide each time', 'interaction_required', ({ oidc }) =>
      isOnLoopback(oidc),
    ),
  );
  return policy;
}

type Asked = KoaContextWithOIDC['oidc'];

function isScopeMissing({ entities, result, prompts, requestParamOIDCScopes }: Asked): boolean {
  const grant = entities.Grant;
  if (!grant) return true;
  const decided = result?.consent || prompts.has('none') ? grant.getOIDCScopeEncountered() : grant.getOIDCScope();
  const known = new Set(decided.split(' '));
  return [...requestParamOIDCScopes].some((scope) => !known.has(scope));
}

/**
 * Any program on the member's machine can pose as a public client that listens there (RFC 8252 §8.6): it gets nothing
 * without a word of the member.
 */
function isOnLoopback({ client, params, result }: Asked): boolean {
  const isPublic = client?.tokenEndpointAuthMethod === 'none';
  const redirectUri = params?.['redirect_uri'];
  return isPublic && !result?.consent && typeof redirectUri === 'string' && redirectUri.startsWith('http:');
}
