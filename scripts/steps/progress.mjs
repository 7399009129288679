/** Progress of slow steps for whoever waits: a line when a step begins, a sign of life while it lasts, its time at the end. */
const SIGN_OF_LIFE_MS = process.stdout.isTTY ? 1_000 : 10_000;

export const secondsSince = (startMs) => `${((performance.now() - startMs) / 1000).toFixed(1)} s`;

export const say = (sentence) => console.log(sentence);

/**
 * Runs `work`, showing how long it has taken so far.
 * @param {string} title what is being done, e.g. "Installing packages"
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 * @template T
 */
export async function step(title, work) {
  const start = performance.now();
  const tty = process.stdout.isTTY;
  if (!tty) console.log(`… ${title}`);
  const show = () => {
    if (tty) process.stdout.write(`\r\x1b[2K… ${title} (${secondsSince(start)})`);
    else console.log(`… ${title} (${secondsSince(start)})`);
  };
  if (tty) show();
  const timer = setInterval(show, SIGN_OF_LIFE_MS);
  const end = (mark) => {
    clearInterval(timer);
    console.log(`${tty ? '\r\x1b[2K' : ''}${mark} ${title} (${secondsSince(start)})`);
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
