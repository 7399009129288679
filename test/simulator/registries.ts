import { getMetadataStorage } from 'class-validator';
import { getMetadataArgsStorage } from 'typeorm';

/**
 * Two libraries keep what decorators say of classes as long as this process lives. Each simulated server has classes of its own.
 * @returns forgets what was registered since, and with it all modules of those servers
 */
export function rememberRegistered(): () => void {
  const lists = Object.values(getMetadataArgsStorage()).filter((list) => Array.isArray(list));
  const lengths = lists.map(({ length }) => length);
  const maps = Object.values(getMetadataStorage()).filter((map) => map instanceof Map);
  const known = maps.map((map) => new Set(map.keys()));
  return () => {
    for (const [at, list] of lists.entries()) list.length = lengths[at] ?? 0;
    for (const [at, map] of maps.entries()) {
      for (const key of map.keys()) if (!known[at]?.has(key)) map.delete(key);
    }
  };
}
