import { EventStoreDbServer } from './eventstoredb-server.js';
import { TcpProxy } from './tcp-proxy.js';

/** Tells the parent the connection string, and again after each number of milliseconds by which it wants answers delayed. */
async function serve(): Promise<void> {
  const server = new EventStoreDbServer();
  await server.start();
  const { proxy, url } = await TcpProxy.toUrl(server.connectionString);
  process.on('message', (delayMs: number) => {
    proxy.slowAnswers(delayMs);
    process.send?.(url);
  });
  process.on('disconnect', () => process.exit());
  process.send?.(url);
}

void serve();
