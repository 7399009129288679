/** A verifier of a public client and the challenge that goes along with the authorization (RFC 7636, S256). */
export interface Pkce {
  verifier: string;
  challenge: string;
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

export const NO_CRYPTOGRAPHY = {
  title: 'Error',
  description: 'The browser makes a code challenge only over https or on this machine.',
} as const;

/** Needs a page over https or on this machine, as the browser's cryptography does. */
export async function makePkce(): Promise<Pkce> {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return { verifier, challenge: base64url(new Uint8Array(hash)) };
}
