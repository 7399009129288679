import v8 from 'node:v8';
import { LedgerState } from '@app/domain';
import type { holdsHead, JournalHead, SnapshotSource } from '@app/ledger';
import type { Faults } from './faults.js';
import type { Link } from './link.js';
import type { SimulatedStore } from './simulated-store.js';
import type { World } from './world.js';

type Snapshot = Parameters<typeof LedgerState.restore>[0];

/** All snapshots that were taken in a run: a server that starts gets the newest that fits its journal, or a stale one. */
export class SimulatedSnapshots {
  private readonly taken: { readonly head: JournalHead; readonly bytes: Buffer }[] = [];

  constructor(
    private readonly world: World,
    private readonly faults: Faults,
  ) {}

  async take(store: SimulatedStore): Promise<void> {
    const { state, head } = await store.replay();
    if (state.revision >= 0) this.taken.push({ head, bytes: v8.serialize(state.snapshot()) });
  }

  /** @param holds the server's own */
  sourceFor(link: Link, holds: typeof holdsHead): SnapshotSource {
    return {
      newest: async () => {
        if (this.taken.length === 0) return undefined;
        const isStale = this.faults.strikes('stale snapshot', 'start');
        const found = isStale ? this.world.random.pick(this.taken) : this.taken.at(-1);
        if (!found || !(await holds(link, found.head))) return undefined;
        return { head: found.head, state: LedgerState.restore(v8.deserialize(found.bytes) as Snapshot) };
      },
    };
  }
}
