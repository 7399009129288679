import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** How long a server may take to say its first word. */
const FIRST_WORD_MS_MAX = 5_000;
const PORT_DEFAULT = 2113;

/** The ports of the servers that are watched, and how many watch each. */
const watched = new Map<number, number>();

/**
 * The client's gRPC waits for ever for the first word of a server that takes its connection, and every call waits with it: a
 * line that was dead at that moment would stay so after it is mended. What is silent for too long is closed here, and gRPC
 * connects anew. (Once a connection stands, its pings notice when it dies.)
 */
export function watchForSilence(connectionString: string): () => void {
  const ports = portsOf(connectionString);
  if (watched.size === 0) subscribe('net.client.socket', watchSocket);
  for (const port of ports) watched.set(port, (watched.get(port) ?? 0) + 1);
  return () => {
    for (const port of ports) {
      const watchers = (watched.get(port) ?? 1) - 1;
      if (watchers > 0) watched.set(port, watchers);
      else watched.delete(port);
    }
    if (watched.size === 0) unsubscribe('net.client.socket', watchSocket);
  };
}

/** Of `esdb://user:password@host:port,host:port/?setting=value`. The nodes of a cluster have their ports in common. */
function portsOf(connectionString: string): Set<number> {
  const [, hosts = ''] = /^[^:]+:\/\/(?:[^@/?]*@)?([^/?]*)/.exec(connectionString) ?? [];
  return new Set(hosts.split(',').map((host) => Number(/:(\d+)$/.exec(host)?.[1] ?? PORT_DEFAULT)));
}

function watchSocket(message: unknown): void {
  const { socket } = message as { readonly socket: Socket };
  socket.once('connectionAttempt', (_address: string, port: number) => {
    if (!watched.has(port)) return;
    const timer = setTimeout(() => {
      if (socket.bytesRead === 0) socket.destroy();
    }, FIRST_WORD_MS_MAX);
    timer.unref();
    socket.once('close', () => clearTimeout(timer));
  });
}
