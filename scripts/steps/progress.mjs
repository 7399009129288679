/**
 * Shows the progress of slow steps: a line when a step begins, a sign of life while it lasts, and its duration at the
 * end.
 */
let output = process.stdout;

/** Sends progress to standard error, because standard output is for a command's data. */
export const speakOnStandardError = () => {
  output = process.stderr;
};

export const secondsSince = (startMs) => `${((performance.now() - startMs) / 1000).toFixed(1)} s`;

export const say = (sentence) => output.write(`${sentence}\n`);

/**
 * Runs `work`, showing how long it has taken so far.
 * @param {string} title what is being done, e.g. "Installing packages"
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 * @template T
 */
export async function step(title, work) {
  const start = performance.now();
  const tty = output.isTTY;
  if (!tty) say(`… ${title}`);
  const show = () => {
    if (tty) output.write(`\r\x1b[2K… ${title} (${secondsSince(start)})`);
    else say(`… ${title} (${secondsSince(start)})`);
  };
  if (tty) show();
  const timer = setInterval(show, tty ? 1_000 : 10_000);
  const end = (mark) => {
    clearInterval(timer);
    say(`${tty ? '\r\x1b[2K' : ''}${mark} ${title} (${secondsSince(start)})`);
  };
  try {
    const result = await work();
    end('✓');
    return result;
  } catch (error) {
    end('✗');
    throw error;
  }
}
