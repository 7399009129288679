import { StoreRefused, StoreUnavailable } from '@app/event-store';
import { selfMade } from '../../../../../test/support/certificate.js';
import { EventStoreDbServer } from '../../../../../test/support/eventstoredb-server.js';
import { storeUnavailable } from './append-until-known.js';
import { explainRefusal, openStore } from './open-store.js';

describe('the event store of the configuration', () => {
  it('is explained in a sentence that names the setting where it refuses, never with the password', async () => {
    const server = new EventStoreDbServer({ tls: await selfMade() });
    await server.start();
    const eventStoreUrl = `esdb://nova:pass-word-77@127.0.0.1:${server.port}?tls=false`;
    const opening = openStore({ databaseUrl: 'postgres://127.0.0.1/none', eventStoreUrl });
    await expect(opening).rejects.toThrow(
      /^The event store that EVENTSTORE_URL names cannot be used: 127\.0\.0\.1:\d+ speaks TLS, and .* where it is your own\.$/,
    );
    await expect(opening).rejects.not.toThrow('pass-word-77');
    server.kill();
  });

  it('is explained as well where it refuses the first append of a start', () => {
    const refused = new StoreRefused('it refuses access');
    expect(explainRefusal(storeUnavailable(refused))?.message).toBe(
      'The event store that EVENTSTORE_URL names cannot be used: it refuses access.',
    );
    expect(explainRefusal(storeUnavailable(new StoreUnavailable('gone')))).toBeUndefined();
  });
});
