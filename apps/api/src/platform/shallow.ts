/**
 * Whether what JSON said is nested no deeper than so. Anything deeper than a caller has use for would only trouble whoever has to
 * walk through it.
 */
export const isShallow = (value: unknown, depth: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every((each) => isShallow(each, depth - 1)));
