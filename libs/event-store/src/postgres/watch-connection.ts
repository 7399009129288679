import type { Client } from 'pg';

/** More than the answer may take, so that one question is under way at a time. */
const ASK_EVERY_MS = 6_000;
const ANSWER_MS_MAX = 5_000;

/**
 * For a connection that listens: a server that is gone without a word looks like one that has nothing to say. It is asked now
 * and then, and a connection that brings no answer is ended, so that its owner makes another. Over with the connection.
 */
export function watchConnection(client: Client): void {
  const timer = setInterval(() => void endUnlessAnswered(client), ASK_EVERY_MS);
  timer.unref();
  client.once('end', () => clearInterval(timer));
}

async function endUnlessAnswered(client: Client): Promise<void> {
  const question = { text: 'select 1', query_timeout: ANSWER_MS_MAX };
  try {
    await client.query(question);
  } catch {
    // With a question under way the driver does not wait for a farewell.
    await client.end().catch(() => undefined);
  }
}
