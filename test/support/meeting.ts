/** Each caller waits until `count` callers are there, so that they continue at the same moment. */
export function meeting(count: number): () => Promise<void> {
  let here = 0;
  let open = (): void => undefined;
  const met = new Promise<void>((resolve) => (open = resolve));
  return () => {
    here += 1;
    if (here === count) open();
    return met;
  };
}
