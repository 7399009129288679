import { errors, type Provider } from 'oidc-provider';
import { type OwnScope, ownScopesOf } from '../own-scopes.js';
import { OWN_GRANT } from './provider-clients.js';

/**
 * Adds tokens by which an application acts for itself (RFC 6749 §4.4; rule oauth-25). The library's own handler would grant the
 * scopes that members are asked for, and none to who names none.
 */
export function addOwnGrant(provider: Provider): void {
  provider.registerGrantType<{ readonly scope?: string }>(
    OWN_GRANT,
    async (ctx) => {
      const { client, params } = ctx.oidc;
      const scope = scopesOf(ownScopesOf(client.clientId), params.scope).join(' ');
      const token = new provider.ClientCredentials({ client, scope });
      ctx.oidc.entity('ClientCredentials', token);
      ctx.body = {
        access_token: await token.save(),
        expires_in: token.expiration,
        scope: token.scope,
        token_type: token.tokenType,
      };
    },
    ['scope'],
  );
}

/** All of them if none is named. @throws InvalidScope one is a member's to grant, not of this mode, or unknown */
function scopesOf(own: readonly OwnScope[], asked: string | undefined): readonly string[] {
  if (!asked) return own;
  const names = [...new Set(asked.split(' '))];
  const other = names.find((name) => !own.some((scope) => scope === name));
  if (other !== undefined) throw new errors.InvalidScope('an application cannot have this scope for itself', other);
  return names;
}
