/** Whoever comes waits until so many are there: what they do next, they do at once. */
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
