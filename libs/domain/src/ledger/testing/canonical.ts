import type { PoolName } from '../accounts.js';
import { MemberIds } from '../member-ids.js';
import type { LedgerState } from '../state.js';

/**
 * A state as one text: equal texts mean equal states. The order of maps is history, not state, so keys are sorted; the
 * index of thread shares, which a snapshot leaves out, is read back through `poolsOf`.
 */
export function canonical(state: LedgerState): string {
  const { members, holders, ...rest } = state.snapshot();
  const ids = [...MemberIds.restore(members.ids)];
  const slots = ids.map((id, slot): [string, unknown] => [
    id,
    [members.balances.map((column) => column[slot]), members.hostReleases[slot]],
  ]);
  const people = new Set([...ids, ...[...holders.values()].flatMap((pool) => [...pool.keys()])]);
  const poolsOf = [...people].map((id): [string, PoolName[]] => [id, state.poolsOf(id).toSorted()]);
  const parts = { ...rest, holders, members: new Map(slots), poolsOf: new Map(poolsOf) };
  return JSON.stringify(parts, sorted);
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Map) return [...value].toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  if (ArrayBuffer.isView(value) && !(value instanceof DataView))
    return Array.from(value as unknown as Iterable<unknown>);
  return value;
}
