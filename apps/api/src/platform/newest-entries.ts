/** Makes this the map's newest entry; beyond so many, the oldest go. */
export function setNewest<K, V>(map: Map<K, V>, [key, value]: readonly [K, V], max: number): void {
  map.delete(key);
  for (const oldest of map.keys()) {
    if (map.size < max) break;
    map.delete(oldest);
  }
  map.set(key, value);
}
