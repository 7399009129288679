import type { Faults } from './faults.js';
import type { Link } from './link.js';
import type { SimulatedProcess } from './simulated-process.js';
import type { SimulatedStore } from './simulated-store.js';
import type { World } from './world.js';

const CUT_OFF_MS_MAX = 4_000;
const DOWN_MS_MAX = 2_000;

/** The time that a server is cut off, or partitions from each other. */
export const cutOffMs = ({ random }: World): number => random.next() * CUT_OFF_MS_MAX;

/** Strikes now and then, until the run is over. */
export function strikeLater(
  world: World,
  everyMsMax: number,
  { isOver, strike }: { readonly isOver: () => boolean; readonly strike: () => void },
): void {
  world.after(world.random.next() * everyMsMax, () => {
    if (isOver()) return;
    strike();
    strikeLater(world, everyMsMax, { isOver, strike });
  });
}

interface Stricken {
  readonly process: SimulatedProcess;
  readonly link: Link;
}

interface Surroundings {
  readonly world: World;
  readonly faults: Faults;
}

/** A server may crash, or be cut off from the store. @param part what it is doing, for the table of faults */
export function strikeServer({ process, link }: Stricken, part: string, { world, faults }: Surroundings): void {
  if (faults.strikes('crash', part)) process.kill();
  if (!faults.strikes('cut off', part)) return;
  link.isCut = true;
  world.after(cutOffMs(world), () => (link.isCut = false));
}

/** The store may be without a quorum for a while, and stays so where it is lost by then. */
export function strikeStore(
  store: SimulatedStore,
  part: string,
  { world, faults, isLost = () => false }: Surroundings & { readonly isLost?: () => boolean },
): void {
  if (!faults.strikes('store without quorum', part)) return;
  store.isDown = true;
  world.after(world.random.next() * DOWN_MS_MAX, () => {
    if (!isLost()) store.isDown = false;
  });
}
