/** Whether a stream is wanted by these prefixes; without any, every one is. */
export const hasPrefix = (stream: string, prefixes: readonly string[] | undefined): boolean =>
  prefixes === undefined || prefixes.some((prefix) => stream.startsWith(prefix));
