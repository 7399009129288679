import type { CookieSerializeOptions } from '@fastify/cookie';
import type { Config } from '../config.js';

export const SESSION_COOKIE = 'nova_session';
export const DEVICE_COOKIE = 'nova_device';

/** A session lasts 24 hours at most (rule accounts-15). */
export const SESSION_MAX_AGE_SECONDS = 24 * 60 * 60;
/** The longest time that browsers keep a cookie. */
export const DEVICE_MAX_AGE_SECONDS = 400 * 24 * 60 * 60;

const isHttps = ({ publicUrl }: Pick<Config, 'publicUrl'>): boolean => publicUrl.startsWith('https:');

/**
 * The name that browsers keep a cookie under. On https it begins with `__Host-`: then no subdomain and no connection without TLS
 * can set it.
 */
export const cookieName = (config: Pick<Config, 'publicUrl'>, name: string): string =>
  isHttps(config) ? `__Host-${name}` : name;

/** The same for a cookie that only one path is sent. */
export const pathCookieName = (config: Pick<Config, 'publicUrl'>, name: string): string =>
  isHttps(config) ? `__Secure-${name}` : name;

/** A cookie's value, and whether it came under the name that it had on https until autumn 2026. */
export interface FoundCookie {
  readonly value: string;
  readonly isFormer: boolean;
}

/**
 * A cookie by its name, or by its former one, which a subdomain can set: it counts only where the other is absent. Former
 * names are read for a year.
 */
export function findCookie(
  config: Pick<Config, 'publicUrl'>,
  name: string,
  valueOf: (name: string) => string | undefined,
): FoundCookie | undefined {
  const value = valueOf(cookieName(config, name));
  if (value !== undefined) return { value, isFormer: false };
  const former = isHttps(config) ? valueOf(name) : undefined;
  return former === undefined ? undefined : { value: former, isFormer: true };
}

/** Scripts cannot read our cookies, other sites' forms do not send them, and https keeps them to https. */
export const cookieOptions = (config: Config, maxAgeSeconds: number): CookieSerializeOptions => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax',
  secure: isHttps(config),
  maxAge: maxAgeSeconds,
});
