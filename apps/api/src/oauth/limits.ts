/** S1 §2.10, `decisions.md` OAuth: what an application may say about itself. */
export const NAME_MAX = 100;
export const DESCRIPTION_MAX = 500;
export { URL_MAX } from '@app/domain';
export const REDIRECT_URIS_MAX = 10;
export const APPLICATIONS_MAX = 25;

/** Nova a UTC day for spend and transfer through one application, until the member says otherwise (`decisions.md`, OAuth). */
export const DAILY_LIMIT_DEFAULT = 5_000;
export const DAILY_LIMIT_MAX = 1_000_000;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Seconds that things live (`decisions.md`, OAuth). */
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
