import { SingleBar } from 'cli-progress';

const LINE_EVERY_MS = 5_000;

/** A file's events are not counted before it was read: its bytes are. */
export type ProgressUnit = 'events' | 'KB';

const UNITS = { events: 1, KB: 1_024 } as const satisfies Record<ProgressUnit, number>;

/** The bar gives words for a time that it cannot tell yet. */
const timeLeft = (seconds: number): string => {
  if (!Number.isFinite(seconds)) return '…';
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

/** Progress on standard error, a bar at a time, lines where it is no terminal; data has standard output to itself. */
export class Progress {
  private bar: SingleBar | undefined;
  private what = '';

  report(what: string, done: number, total: number, unit: ProgressUnit = 'events'): void {
    const counted = (count: number): number => Math.ceil(count / UNITS[unit]);
    if (what !== this.what) this.begin(what, counted(total), unit);
    this.bar?.setTotal(counted(Math.max(total, done)));
    this.bar?.update(counted(done));
  }

  end(): void {
    this.bar?.stop();
    this.bar = undefined;
    this.what = '';
  }

  private begin(what: string, total: number, unit: ProgressUnit): void {
    this.end();
    this.what = what;
    this.bar = new SingleBar({
      format: `${what.padEnd(24)} {bar} {percentage}% {value}/{total} ${unit}, {eta_formatted} left`,
      formatTime: timeLeft,
      stream: process.stderr,
      noTTYOutput: true,
      notTTYSchedule: LINE_EVERY_MS,
      hideCursor: true,
    });
    this.bar.start(total, 0);
  }
}
