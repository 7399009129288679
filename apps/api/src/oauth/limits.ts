export {
  APPLICATION_DESCRIPTION_MAX as DESCRIPTION_MAX,
  APPLICATION_NAME_MAX as NAME_MAX,
  DAILY_LIMIT_NOVA_MAX as DAILY_LIMIT_MAX,
  REDIRECT_URIS_MAX,
  URL_MAX,
} from '@app/domain';
export const APPLICATIONS_MAX = 25;

/** Nova a UTC day for spend and transfer through one application, until the member says otherwise (rule oauth-13). */
export const DAILY_LIMIT_DEFAULT = 5_000;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Of an authorization request: of what an application sends along to get it back, and of all parameters. */
export const STATE_BYTES_MAX = 2_048;
export const AUTHORIZATION_BYTES_MAX = 8_192;
/** A visitor who is not signed in by then begins anew, with the same parameters. */
export const VISITOR_INTERACTION_SECONDS = 15 * MINUTE;
/** Authorizations of visitors that wait at a time: with more, the oldest begin anew. */
export const VISITOR_INTERACTIONS_MAX = 10_000;

/**
 * What the provider keeps of one member, at each application where it belongs to one: with more, the oldest goes. A member has
 * ten devices, with a sign-in on each; an application that renews every hour has 720 refresh tokens of it in thirty days.
 */
export const PAYLOADS_MAX = {
  Grant: 50,
  Session: 20,
  Interaction: 20,
  AuthorizationCode: 100,
  AccessToken: 1_000,
  RefreshToken: 5_000,
} as const;

/** Seconds that things live. */
export const TTL = {
  AuthorizationCode: MINUTE,
  AccessToken: HOUR,
  IdToken: HOUR,
  RefreshToken: 30 * DAY,
  /** Members are asked again after a year, however often an application renews its tokens. */
  Grant: 365 * DAY,
  /** How long a consent screen may stay open. */
  Interaction: HOUR,
  /** No longer than the product's own session, which it follows. */
  Session: DAY,
} as const;
