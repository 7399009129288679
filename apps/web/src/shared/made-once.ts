/** Makes a thing when it is first used. A browser takes ten milliseconds for the first `Intl` formatter of a page. */
export function madeOnce<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
