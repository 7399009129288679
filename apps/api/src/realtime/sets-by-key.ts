/** Adds a value to a key's set. Answers how many that has then. */
export function put<T>(sets: Map<string, Set<T>>, key: string, value: T): number {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set.add(value));
  return set.size;
}

/** Takes a value out of a key's set. True when it was the last. */
export function take<T>(sets: Map<string, Set<T>>, key: string, value: T): boolean {
  const set = sets.get(key);
  if (!set?.delete(value) || set.size > 0) return false;
  sets.delete(key);
  return true;
}
