import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ANSWER_FD, type MediaJob, type MediaOutcome } from './media-job.js';
import { prepareMedia } from './prepare-media.js';
import { RefusedFile } from './refused-file.js';

/**
 * A process that reads one file of a member's and ends: whatever the file does to it, nothing else is in it. It gets its job
 * as a line on standard input, and ends when that ends, as its parent has. Standard output is for what libraries say.
 */
const lines = createInterface({ input: process.stdin });
// The parent wrote it.
lines.once('line', (line) => void answer(JSON.parse(line) as MediaJob));
lines.once('close', () => process.exit(1));

async function answer(job: MediaJob): Promise<void> {
  const outcome = await outcomeOf(job);
  writeSync(ANSWER_FD, `${JSON.stringify(outcome)}\n`);
  process.exit(0);
}

async function outcomeOf(job: MediaJob): Promise<MediaOutcome> {
  try {
    return { is: 'prepared', media: await prepareMedia(job) };
  } catch (error) {
    if (error instanceof RefusedFile) {
      const { statusCode, code, message } = error;
      return { is: 'refused', statusCode, code, message };
    }
    return { is: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
