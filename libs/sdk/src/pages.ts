/** Asks for the next page once what came before is used up. */
export async function* pages<T>(
  page: (cursor: string | undefined) => Promise<readonly [items: readonly T[], next: string | null]>,
): AsyncGenerator<T> {
  for (let cursor: string | undefined; ;) {
    const [items, next]: readonly [readonly T[], string | null] = await page(cursor);
    yield* items;
    if (next === null) return;
    cursor = next;
  }
}
