import { madeOnce } from '@/shared/made-once';

/** Points that arrive within this time share a toast, because only one is shown at a time (rule screens-10). */
export const GATHER_MS = 700;

const points = madeOnce(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 }));

/** Gathers scores and their notes into one sentence. */
export class ScoreNotice {
  private score = 0;
  private readonly notes = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param say receives `Link copied · +5` */
  constructor(private readonly say: (text: string) => void) {}

  add(score: number, note?: string): void {
    if (score <= 0) return;
    this.score += score;
    if (note !== undefined) this.notes.add(note);
    this.timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  private flush(): void {
    const text = [...this.notes, `+${points().format(this.score)}`].join(' · ');
    this.timer = undefined;
    this.score = 0;
    this.notes.clear();
    this.say(text);
  }
}
