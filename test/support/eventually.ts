const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 25;

/** Repeats a check until it passes or returns true, for ten seconds by default. */
export async function eventually<T>(
  look: () => T | Promise<T>,
  isSo: (seen: T) => boolean = Boolean,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const seen = await look();
    if (isSo(seen)) return seen;
    if (Date.now() > deadline) throw new Error(`it never came so: ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
