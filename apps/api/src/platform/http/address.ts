/** `http://host` before the path: the form in which requests reach a proxy (RFC 9112 §3.2.2). */
const WHOLE = /^https?:\/\/[^/?#]*/i;
/** Encodings of characters that need none: addresses that differ in them alone are the same (RFC 3986 §6.2.2.2). */
const NEEDLESS = /%(?:2[DE]|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi;

/**
 * The one form of a request's address: its path and query, nothing encoded in the path that needs no encoding. The router reads
 * `/%61pi/x` and `http://host/api/x` as `/api/x`; so everything else that looks at the address must, too.
 */
export function canonicalAddress(address: string): string {
  const target = address.replace(WHOLE, '');
  const query = target.indexOf('?');
  const path = query < 0 ? target : target.slice(0, query);
  const plain = path.replace(NEEDLESS, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  const rest = query < 0 ? '' : target.slice(query);
  // `http://host` alone means its root.
  return `${plain === '' ? '/' : plain}${rest}`;
}
