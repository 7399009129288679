import fastifyHelmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import { fastify as createFastify } from 'fastify';
import type { Config, S3Config } from '../config.js';

export const SECURITY_HEADERS = Symbol('SECURITY_HEADERS');
export type SecurityHeaders = Readonly<Record<string, string>>;

/** What the answer that is looked at has beside them. */
const OTHERS = new Set(['content-type', 'content-length', 'date', 'connection']);

/**
 * Helmet's headers, for every answer. They depend on the configuration alone, so helmet is asked once: rebuilding the policy
 * for each answer took a tenth of the server's time.
 */
export async function securityHeaders(config: Config): Promise<SecurityHeaders> {
  const probe = createFastify();
  await probe.register(fastifyHelmet, helmetOptions(config));
  probe.get('/', () => '');
  const { headers } = await probe.inject('/');
  await probe.close();
  const named = Object.entries(headers).filter(([name]) => !OTHERS.has(name));
  return Object.fromEntries(named.map(([name, value]) => [name, String(value)]));
}

/** Files go from browsers to the storage service directly, and come back through this server. */
function uploadOrigins(s3: S3Config | undefined): string[] {
  if (!s3) return [];
  const url = new URL(s3.publicEndpoint);
  if (!s3.pathStyle) url.host = `${s3.bucket}.${url.host}`;
  return [url.origin];
}

/** Security headers; the content policy admits Stripe only when Stripe is on. */
function helmetOptions(config: Config): FastifyHelmetOptions {
  const secure = config.publicUrl.startsWith('https:');
  const stripe = (...sources: string[]): string[] => (config.stripe ? sources : []);
  return {
    global: true,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...stripe('https://js.stripe.com', 'https://*.js.stripe.com')],
        // Toasts and dialogs add style elements while they are open.
        styleSrc: ["'self'", "'unsafe-inline'"],
        fontSrc: ["'self'"],
        // Applications bring logos from their own sites.
        imgSrc: ["'self'", 'data:', 'blob:', 'https:'],
        mediaSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'", ...stripe('https://api.stripe.com'), ...uploadOrigins(config.s3)],
        frameSrc: stripe('https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com').concat(
          config.stripe ? [] : ["'none'"],
        ),
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: config.hstsSubdomains } : false,
    crossOriginEmbedderPolicy: false,
    // Opening a Stripe window from the page needs the opener; without Stripe nothing does.
    crossOriginOpenerPolicy: { policy: config.stripe ? 'same-origin-allow-popups' : 'same-origin' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  };
}
