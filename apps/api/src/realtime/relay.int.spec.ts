import { Logger } from '@nestjs/common';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChannelListener } from '@app/event-store';
import { createTestDatabase } from '../../../../test/support/postgres.js';
import type { LiveSockets } from './live-sockets.js';
import { Relay } from './relay.js';

it('closes without a word of warning: what is said after its end is for nobody', async () => {
  const database = await createTestDatabase('relay');
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  try {
    const listener = new ChannelListener({ connectionString: database.url });
    const relay = new Relay(database.pool, listener, {} as LiveSockets);
    relay.open().attach(createServer());
    await sleep(300);
    await relay.close();
    await sleep(300);
    expect(warn.mock.calls).toEqual([]);
    await listener.close();
  } finally {
    warn.mockRestore();
    await database.drop();
  }
});
