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

/** When each step began that is running, by its title. */
const running = new Map();
let timer;

/** In a terminal, the steps that are running stay in the last line. */
export const say = (sentence) => {
  output.write(`${output.isTTY ? '\r\x1b[2K' : ''}${sentence}\n`);
  if (output.isTTY && running.size > 0) show();
};

function show() {
  const lines = [...running].map(([title, start]) => `${title} (${secondsSince(start)})`);
  output.write(output.isTTY ? `\r\x1b[2K… ${lines.join(', ')}` : lines.map((line) => `… ${line}\n`).join(''));
}

/**
 * Runs `work`, showing how long it has taken so far. Steps may run at the same time.
 * @param {string} title what is being done, e.g. "Installing packages"
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 * @template T
 */
export async function step(title, work) {
  if (!output.isTTY) say(`… ${title}`);
  const start = performance.now();
  running.set(title, start);
  if (output.isTTY) show();
  timer ??= setInterval(show, output.isTTY ? 1_000 : 10_000);
  const end = (mark) => {
    running.delete(title);
    if (running.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    say(`${mark} ${title} (${secondsSince(start)})`);
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
