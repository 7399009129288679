import { setImmediate } from 'node:timers/promises';

/** What it needs of a stream of objects. */
interface ObjectStream {
  read(): unknown;
  on(event: string, listener: (argument?: unknown) => void): unknown;
  off(event: string, listener: (argument?: unknown) => void): unknown;
}

/**
 * What a subscription's stream holds, as often as there is something: everything that has arrived, up to `max` items. What
 * is not taken fills the stream's buffer, and a full buffer holds the server back.
 * @throws the stream's error; it ends when the stream or `signal` does
 */
export async function* arrivals<T>(
  stream: ObjectStream,
  { max, signal }: { readonly max: number; readonly signal: AbortSignal },
): AsyncGenerator<T[]> {
  let error: unknown;
  let isOver = false;
  let resume: (() => void) | undefined;
  const onReadable = () => resume?.();
  const onOver = () => {
    isOver = true;
    resume?.();
  };
  stream.on('readable', onReadable);
  // Stays for good: an error that nobody listens to would end the process, and it may come after we have left.
  stream.on('error', (cause) => {
    error ??= cause;
    onOver();
  });
  stream.on('end', onOver);
  stream.on('close', onOver);
  signal.addEventListener('abort', onOver);
  try {
    while (!signal.aborted) {
      // Registered before looking, so that what arrives in between is not missed.
      const more = new Promise<void>((resolve) => {
        resume = resolve;
      });
      const taken = takeBuffered<T>(stream, max);
      if (taken.length > 0) {
        yield taken;
        continue;
      }
      if (error !== undefined) throw error;
      if (isOver) return;
      await more;
      // What came with it in the same turn of the event loop goes into the same batch.
      await setImmediate();
    }
  } finally {
    stream.off('readable', onReadable);
    signal.removeEventListener('abort', onOver);
  }
}

function takeBuffered<T>(stream: ObjectStream, max: number): T[] {
  const taken: T[] = [];
  while (taken.length < max) {
    const item = stream.read();
    if (item === null) break;
    // The parsing boundary: the stream's type says what it carries.
    taken.push(item as T);
  }
  return taken;
}
