import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDbServer } from '../support/eventstoredb-server.js';
import { CrashingEventStore } from './crashing-event-store.js';

/** What serves a real event store, as the crash test starts it. */
describe('the command that serves an event store', () => {
  const server = new EventStoreDbServer();
  const before = { ...process.env };
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'nova-store-'));
    // It keeps its port.
    await server.start();
    server.kill();
  });
  afterEach(() => {
    for (const name of ['EVENTSTORE_URL', 'EVENTSTORE_COMMAND']) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, before);
  });
  afterAll(async () => {
    server.kill();
    await rm(folder, { recursive: true, force: true });
  });

  const storeOf = (command: string): CrashingEventStore => {
    process.env['EVENTSTORE_URL'] = server.connectionString;
    process.env['EVENTSTORE_COMMAND'] = command;
    const store = CrashingEventStore.fromEnvironment();
    if (!store) throw new Error('the environment names an event store');
    return store;
  };

  it('gets no variable with the prefix of its own settings, and is waited for', async () => {
    const file = path.join(folder, 'environment');
    const store = storeOf(`env > ${file}; exec sleep 60`);
    const times = { up: 0 };
    const come = async (): Promise<void> => {
      await sleep(700);
      times.up = performance.now();
      await server.start();
    };
    const coming = come();
    await store.start();
    expect(performance.now()).toBeGreaterThan(times.up);
    expect(times.up).toBeGreaterThan(0);
    await coming;
    const environment = await readFile(file, 'utf8');
    expect(environment).toContain('PATH=');
    expect(environment).not.toContain('EVENTSTORE_');
    await store.stop();
    server.kill();
  });

  it('that ends instead is an error that shows what it said', async () => {
    const store = storeOf('echo "Unknown option: Url" >&2; exit 3');
    await expect(store.start()).rejects.toThrow(/EVENTSTORE_COMMAND ended \(3\): Unknown option: Url/);
    await store.stop();
  });
});
