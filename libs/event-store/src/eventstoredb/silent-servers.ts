import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** How long a server may take to say its first word. */
const FIRST_WORD_MS_MAX = 5_000;
const PORT_DEFAULT = 2113;

/** The ports of the servers that are watched, and how many watch each. */
const watched = new Map<number, number>();

export interface SilenceWatch {
  /** Another node that was found. */
  add(port: number): void;
  end(): void;
}

/**
 * The client's gRPC waits for ever for the first word of a server that takes its connection, and every call waits with it: a
 * line that was dead at that moment would stay so after it is mended. What is silent for too long is closed here, and gRPC
 * connects anew. (Once a connection stands, its pings notice when it dies.)
 */
export function watchForSilence(connectionString: string): SilenceWatch {
  const ports = new Set<number>();
  const add = (port: number): void => {
    if (ports.has(port)) return;
    if (watched.size === 0) subscribe('net.client.socket', watchSocket);
    ports.add(port);
    watched.set(port, (watched.get(port) ?? 0) + 1);
  };
  const end = (): void => {
    for (const port of ports) {
      const watchers = (watched.get(port) ?? 1) - 1;
      if (watchers > 0) watched.set(port, watchers);
      else watched.delete(port);
    }
    ports.clear();
    if (watched.size === 0) unsubscribe('net.client.socket', watchSocket);
  };
  for (const port of portsOf(connectionString)) add(port);
  return { add, end };
}

/** Of `esdb://user:password@host:port,host:port/?setting=value`. */
function portsOf(connectionString: string): number[] {
  const [, hosts = ''] = /^[^:]+:\/\/(?:[^@/?]*@)?([^/?]*)/.exec(connectionString) ?? [];
  return hosts.split(',').map(portOf);
}

/** Of `host:port`. */
export const portOf = (host: string): number => Number(/:(\d+)$/.exec(host)?.[1] ?? PORT_DEFAULT);

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
