export {
  APPLICATION_DESCRIPTION_MAX as DESCRIPTION_MAX,
  APPLICATION_NAME_MAX as NAME_MAX,
  DAILY_LIMIT_NOVA_MAX as DAILY_LIMIT_MAX,
  REDIRECT_URIS_MAX,
  URL_MAX,
} from '@app/domain';
export const APPLICATIONS_MAX = 25;
/** Of one application: one replaces the other. */
export const SECRETS_MAX = 2;
export const SECRET_NAME_MAX = 60;

/**
 * Nova per UTC day for spend and transfer through one application, until the member chooses another limit (rule
 * oauth-13).
 */
export const DAILY_LIMIT_DEFAULT = 5_000;

/** How often a developer may reset an application's test data a UTC day: each time, 10,000 events may be written anew. */
export const TEST_RESETS_A_DAY_MAX = 10;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** For an authorization request: for the state that an application sends and gets back, and for all parameters. */
export const STATE_BYTES_MAX = 2_048;
export const AUTHORIZATION_BYTES_MAX = 8_192;
/** A visitor who has not signed in by then starts again, with the same parameters. */
export const VISITOR_INTERACTION_SECONDS = 15 * MINUTE;
/** How many authorizations of visitors wait at a time. Beyond that, the oldest start again. */
export const VISITOR_INTERACTIONS_MAX = 10_000;

/** How long a device waits between two looks for its member's answer (RFC 8628 §3.5), and how much longer if it did not. */
export const DEVICE_POLL_SECONDS = 5;
/** Networks deliver one look later and the next earlier. */
export const DEVICE_POLL_TOLERANCE_SECONDS = 1;
/** How many codes of an application's devices wait at a time. Beyond that, the oldest end. */
export const DEVICE_CODES_MAX = 1_000;

/** How many tokens of its own an application has at a time. Beyond that, the oldest end. */
export const OWN_TOKENS_MAX = 1_000;

/** The log of an application's calls: kept for so long, and the newest alone. */
export const CALLS_KEPT_DAYS = 90;
export const CALLS_KEPT_MAX = 50_000;
/** Calls of one application that a server logs between two writes, and of all applications. Beyond that, they are only counted. */
export const CALLS_LOGGED_MAX = 100;
export const CALLS_WAITING_MAX = 10_000;

/**
 * How much the provider keeps of one member: of models that belong to an application, for each application. Beyond
 * that, the oldest is removed. A member has ten devices, each with a sign-in. An application that renews every hour has
 * 720 refresh tokens for one sign-in in thirty days.
 */
export const PAYLOADS_MAX = {
  Grant: 50,
  Session: 20,
  Interaction: 20,
  AuthorizationCode: 100,
  AccessToken: 1_000,
  RefreshToken: 5_000,
} as const;

/** Lifetimes in seconds. */
export const TTL = {
  AuthorizationCode: MINUTE,
  DeviceCode: 10 * MINUTE,
  AccessToken: HOUR,
  /** An application's own. */
  ClientCredentials: HOUR,
  IdToken: HOUR,
  RefreshToken: 30 * DAY,
  /** Members are asked again after a year, however often an application renews its tokens. */
  Grant: 365 * DAY,
  /** How long a consent screen may stay open. */
  Interaction: HOUR,
  /** Not longer than the product's own session, which it follows. */
  Session: DAY,
} as const;
