import { once } from 'node:events';

/** Keeps a process that a launcher started until the launcher says that it may start. */
export async function waitToStart() {
  const told = once(process, 'message');
  // Nothing else keeps the process alive until then.
  process.channel?.ref();
  await told;
  process.channel?.unref();
}
