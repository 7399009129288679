import type { IncomingMessage } from 'node:http';
import type { Provider } from 'oidc-provider';
import type { SignedInMember } from '../../platform/auth/member.js';

/** The member of the product's session in the browser that sent the request. */
export class RequestMembers {
  private readonly members = new WeakMap<IncomingMessage, SignedInMember>();

  set(request: IncomingMessage, member: SignedInMember | undefined): void {
    if (member) this.members.set(request, member);
  }

  of(request: IncomingMessage): SignedInMember | undefined {
    return this.members.get(request);
  }
}

/** The time of signing in, in the form of id tokens (`auth_time`). */
export const authTime = ({ signedInAt }: SignedInMember): number => Math.floor(signedInAt.getTime() / 1000);

/**
 * Makes the provider's session follow the product's, which alone says who is signed in (rule oauth-18). A member who
 * signs in to the product is signed in here. When the member signs out, or somebody else signs in, the provider's
 * session ends too.
 */
export function followMemberSession({ Session, OIDCContext }: Provider, members: RequestMembers): void {
  const get = Session.get.bind(Session);
  Session.get = async (ctx) => {
    const session = await get(ctx);
    const member = members.of(ctx.req);
    const stranger = session.accountId !== undefined && session.accountId !== member?.id;
    if (stranger) await session.destroy();
    const current = stranger ? new Session() : session;
    if (member && (current.accountId !== member.id || current.loginTs !== authTime(member))) {
      current.loginAccount({ accountId: member.id, loginTs: authTime(member) });
      // The provider stores sessions that were touched.
      Object.assign(current, { touched: true });
    }
    const { oidc } = ctx as { oidc?: unknown };
    if (oidc instanceof OIDCContext) oidc.entity('Session', current);
    return current;
  };
}

/** In test mode nobody is signed in before the screen, whoever decided before: no session is read. */
export function beginWithNobody({ Session, OIDCContext }: Provider): void {
  Session.get = (ctx) => {
    const session = new Session();
    const { oidc } = ctx as { oidc?: unknown };
    if (oidc instanceof OIDCContext) oidc.entity('Session', session);
    return Promise.resolve(session);
  };
}
