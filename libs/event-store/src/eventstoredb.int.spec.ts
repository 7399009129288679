import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { EventStoreDbServer } from '../../../test/support/eventstoredb-server.js';
import { eventually } from '../../../test/support/eventually.js';
import { describeEventStore } from './contract.suite.js';
import { EventStoreDbEventStore } from './eventstoredb/eventstoredb-event-store.js';
import type { EventBatches } from './port.js';

describeEventStore('eventstoredb, over the wire protocol', async () => {
  const server = new EventStoreDbServer();
  await server.start();
  const store = await EventStoreDbEventStore.open({ connectionString: server.connectionString });
  const other = await EventStoreDbEventStore.open({ connectionString: server.connectionString });
  return {
    store,
    other,
    async close() {
      await Promise.all([store.close(), other.close()]);
      server.kill();
    },
  };
});

const PREFACE_BYTES = 24;
const FRAME_HEAD_BYTES = 9;
const RST_STREAM = 3;

/** Passes connections on to a server, and counts the calls that clients call off (RFC 9113, 4.1 and 6.4). */
class ResetCounter {
  resets = 0;
  private readonly listening: Server;
  private readonly sockets: Socket[] = [];

  constructor(target: number) {
    this.listening = createServer((client) => {
      const server = connect(target, '127.0.0.1');
      this.sockets.push(client, server);
      for (const socket of [client, server]) socket.on('error', () => undefined);
      client.pipe(server).pipe(client);
      let rest = Buffer.alloc(0);
      let skipped = PREFACE_BYTES;
      client.on('data', (part: Buffer) => {
        rest = Buffer.concat([rest, part]);
        while (rest.length >= skipped + FRAME_HEAD_BYTES) {
          const head = rest.subarray(skipped, skipped + FRAME_HEAD_BYTES);
          if (head[3] === RST_STREAM) this.resets += 1;
          rest = rest.subarray(skipped + FRAME_HEAD_BYTES);
          skipped = head.readUIntBE(0, 3);
        }
      });
    }).listen(0, '127.0.0.1');
  }

  async connectionString(): Promise<string> {
    if (!this.listening.listening) await once(this.listening, 'listening');
    return `esdb://127.0.0.1:${(this.listening.address() as AddressInfo).port}?tls=false`;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.listening.close();
  }
}

it('calls off no read that has come to its end, and every other', async () => {
  const server = new EventStoreDbServer();
  await server.start();
  const counter = new ResetCounter(server.port);
  const store = await EventStoreDbEventStore.open({ connectionString: await counter.connectionString() });
  try {
    const events = Array.from({ length: 20 }, () => ({ id: randomUUID(), type: 'Done', data: '{}', metadata: '{}' }));
    await store.append('there', events, 'none');
    const whole = async (batches: EventBatches): Promise<number> => {
      let count = 0;
      for await (const batch of batches) count += batch.length;
      return count;
    };
    for (let times = 0; times < 20; times++) {
      const counts = await Promise.all([
        whole(store.readStream('absent')),
        whole(store.readStream('there')),
        whole(store.readStream('there', { limit: 5 })),
        whole(store.readStream('there', { direction: 'backwards', limit: 5 })),
        whole(store.readAll()),
      ]);
      expect(counts).toEqual([0, 20, 5, 5, 20]);
      expect((await store.head('there'))?.revision).toBe(19);
    }
    await setTimeout(100);
    expect(counter.resets).toBe(0);
    expect(await whole(store.readAll({ limit: 5, streamPrefixes: ['there'] }))).toBe(5);
    await eventually(() => counter.resets === 1);
  } finally {
    await store.close();
    counter.close();
    server.kill();
  }
});
