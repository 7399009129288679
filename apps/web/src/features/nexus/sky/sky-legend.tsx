import { CANVAS_NODES_MAX } from './constellation-canvas';

/** What lines and colours of the sky mean. `isPart`: there are more threads than it shows. */
export function SkyLegend({ isPart }: { isPart: boolean }) {
  return (
    <ul className="flex min-h-11 flex-wrap items-center gap-x-5 gap-y-1 border-t border-line px-4 py-2 text-xs text-ink-muted">
      <li className="flex items-center gap-2">
        <span aria-hidden="true" className="w-6 border-t-2 border-karma" />
        Karma: you were the host
      </li>
      <li className="flex items-center gap-2">
        <span aria-hidden="true" className="w-6 border-t-2 border-dashed border-influence" />
        Influence: you asked
      </li>
      <li>A node’s colour is the member’s mood</li>
      {isPart && <li>The {CANVAS_NODES_MAX} newest are shown</li>}
    </ul>
  );
}
