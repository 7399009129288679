import { SingleBar } from 'cli-progress';

/** Progress bars on standard error, one at a time; data has standard output to itself. */
export class Progress {
  private bar: SingleBar | undefined;
  private what = '';

  report(what: string, done: number, total: number): void {
    if (what !== this.what) this.begin(what, total);
    this.bar?.setTotal(Math.max(total, done));
    this.bar?.update(done);
  }

  end(): void {
    this.bar?.stop();
    this.bar = undefined;
    this.what = '';
  }

  private begin(what: string, total: number): void {
    this.end();
    this.what = what;
    this.bar = new SingleBar({
      format: `${what.padEnd(24)} {bar} {percentage}% {value}/{total} events, {eta_formatted} left`,
      stream: process.stderr,
      noTTYOutput: false,
      hideCursor: true,
    });
    this.bar.start(total, 0);
  }
}
