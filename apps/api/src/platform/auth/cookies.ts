import type { CookieSerializeOptions } from '@fastify/cookie';
import type { Config } from '../config.js';

export const SESSION_COOKIE = 'nova_session';
export const DEVICE_COOKIE = 'nova_device';

/** S0 §9: a session lasts 24 hours at most. */
export const SESSION_MAX_AGE_SECONDS = 24 * 60 * 60;
/** As long as browsers keep a cookie at most. */
export const DEVICE_MAX_AGE_SECONDS = 400 * 24 * 60 * 60;

/** Scripts cannot read our cookies, other sites' forms do not send them, and https keeps them to https. */
export const cookieOptions = (config: Config, maxAgeSeconds: number): CookieSerializeOptions => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax',
  secure: config.publicUrl.startsWith('https:'),
  maxAge: maxAgeSeconds,
});
