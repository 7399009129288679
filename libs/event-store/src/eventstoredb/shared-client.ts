import { setTimeout } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import { clientAddress } from './address.js';
import { portOf, type SilenceWatch, watchForSilence } from './silent-servers.js';

/** How long the end of the client's streams is waited for. */
const DISPOSE_MS_MAX = 1_000;

interface SharedClient {
  readonly client: EventStoreDBClient;
  readonly watch: SilenceWatch;
  users: number;
}

/**
 * One client a server in each process: the client package keeps its pending appends in one table for the whole process, and
 * a broken stream of any client rejects the appends of all.
 */
const clients = new Map<string, SharedClient>();

/** A wrong connection string throws here; a server that is down shows with the first call. */
export function acquireClient(connectionString: string): EventStoreDBClient {
  const known = clients.get(connectionString);
  if (known) {
    known.users += 1;
    return known.client;
  }
  const client = steadyClient(connectionString);
  const watch = watchForSilence(connectionString);
  // The nodes of a cluster say themselves where they are, each perhaps on a port of its own.
  const resolveUri = client['resolveUri'];
  client['resolveUri'] = async () => {
    const uri = await resolveUri();
    watch.add(portOf(uri));
    return uri;
  };
  clients.set(connectionString, { client, watch, users: 1 });
  return client;
}

/** The last user ends the client's streams. */
export async function releaseClient(connectionString: string): Promise<void> {
  const shared = clients.get(connectionString);
  if (!shared) return;
  shared.users -= 1;
  if (shared.users > 0) return;
  clients.delete(connectionString);
  shared.watch.end();
  // The client waits for each of its streams to finish, and one that was left half read never does.
  // A command that only closes has nothing else that keeps it from ending here, with status 13.
  const waiting = new AbortController();
  const late = setTimeout(DISPOSE_MS_MAX, undefined, { signal: waiting.signal });
  await Promise.race([shared.client.dispose(), late]).finally(() => waiting.abort());
}

/**
 * The client without two of its faults (6.2.1), both of which show where a cluster has no leader. After an error it asks for
 * the connection under way and lets what comes of that escape, which ends the process; whoever uses the connection is told as
 * well. And before appends it asks what the server can do and keeps the answer, also that there was no connection to ask
 * over, so that no append was ever sent again: here there is one before it asks.
 */
function steadyClient(connectionString: string): EventStoreDBClient {
  const client = EventStoreDBClient.connectionString(clientAddress(connectionString));
  const handleError = client['handleError'];
  client['handleError'] = (...failed) => handleError(...failed).catch(() => undefined);
  const supports = client['supports'];
  client['supports'] = async (...asked) => {
    await client['getChannel']();
    return supports(...asked);
  };
  return client;
}
