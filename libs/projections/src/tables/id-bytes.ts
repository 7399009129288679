/**
 * Ids as bytes: a UUID, as all ids of members are, is its 16 bytes, and any other id its letters. Letters that are 16 get a
 * zero byte, which no id has, so that both can be told apart. The order of UUIDs is that of their texts.
 */
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const UUID_BYTES = 16;

function hexOf(id: string): string {
  if (UUID.test(id)) {
    return `${id.slice(0, 8)}${id.slice(9, 13)}${id.slice(14, 18)}${id.slice(19, 23)}${id.slice(24)}`;
  }
  const letters = Buffer.from(id).toString('hex');
  return letters.length === 2 * UUID_BYTES ? `${letters}00` : letters;
}

/** For parameters of queries. */
export const idBytes = (id: string): Buffer => Buffer.from(hexOf(id), 'hex');

/** How many texts are kept. Beyond that, they are forgotten and made again. */
const LITERALS_MAX = 200_000;
const literals = new Map<string, string>();

/** As text for Postgres. Kept, because a rebuild writes the ids of its members again and again. */
export function idLiteral(id: string): string {
  const known = literals.get(id);
  if (known !== undefined) return known;
  if (literals.size >= LITERALS_MAX) literals.clear();
  const literal = `\\x${hexOf(id)}`;
  literals.set(id, literal);
  return literal;
}

export function idOf(bytes: Buffer): string {
  if (bytes.length !== UUID_BYTES) {
    return bytes.toString('utf8', 0, bytes.at(-1) === 0 ? bytes.length - 1 : bytes.length);
  }
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The text of an id, in SQL. @param bytes an expression; null has none */
export const idTextSql = (bytes: string): string =>
  `(case when octet_length(${bytes}) = ${UUID_BYTES} then encode(${bytes}, 'hex')::uuid::text
    else convert_from(rtrim(${bytes}, '\\x00'::bytea), 'UTF8') end collate "C")`;
