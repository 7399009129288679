import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { selfMade } from '../../../test/support/certificate.js';
import { EventStoreDbServer } from '../../../test/support/eventstoredb-server.js';
import { newEvents } from './contract.suite.js';
import { EventStoreDbEventStore } from './eventstoredb/eventstoredb-event-store.js';
import { StoreRefused } from './port.js';

jest.setTimeout(60_000);

const PASSWORD = 'pass-word-77';

describe('eventstoredb event store, and who may use it', () => {
  let folder: string;
  let caFile: string;
  let secure: EventStoreDbServer;
  let plain: EventStoreDbServer;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'nova-esdb-'));
    caFile = path.join(folder, 'ca.pem');
    const tls = await selfMade();
    await writeFile(caFile, tls.cert);
    const user = { password: PASSWORD, mayReadAll: true, mayWrite: true };
    secure = new EventStoreDbServer({
      tls,
      users: { nova: user, plain: { ...user, mayReadAll: false }, auditor: { ...user, mayWrite: false } },
    });
    plain = new EventStoreDbServer();
    await Promise.all([secure.start(), plain.start()]);
  });
  afterAll(async () => {
    secure.kill();
    plain.kill();
    await rm(folder, { recursive: true, force: true });
  });

  const open = (who: string, options: string, { port } = secure) =>
    EventStoreDbEventStore.open({ connectionString: `esdb://${who}127.0.0.1:${port}?${options}` });
  const trusted = () => `tlsCAFile=${encodeURIComponent(caFile)}`;
  const nova = `nova:${PASSWORD}@`;
  const refusalOf = async (opening: Promise<EventStoreDbEventStore>): Promise<string> => {
    const error: unknown = await opening.then(
      (store) => store.close(),
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StoreRefused);
    expect(JSON.stringify([error, String(error), (error as Error).cause])).not.toContain(PASSWORD);
    return (error as Error).message;
  };

  it('takes a user who may read all and write, over TLS', async () => {
    const store = await open(nova, trusted());
    await expect(store.append('a', newEvents(1), 'none')).resolves.toEqual({ revision: 0 });
    await store.close();
  });

  it('says what is to be mended about a user', async () => {
    expect(await refusalOf(open('', trusted()))).toMatch(/^it refuses access: its address must name a user/);
    expect(await refusalOf(open(`nova:x${PASSWORD}@`, trusted()))).toMatch(/^it does not know the user of its address/);
    expect(await refusalOf(open(`plain:${PASSWORD}@`, trusted()))).toMatch(/^it refuses access: .* who may read \$all/);
  });

  it('knows an append that a right is missing for as refused, not as unknown', async () => {
    const store = await open(`auditor:${PASSWORD}@`, trusted());
    await expect(store.append('b', newEvents(1), 'none')).rejects.toBeInstanceOf(StoreRefused);
    expect(await store.head('b')).toBeUndefined();
    await store.close();
  });

  it('says what is to be mended about TLS, of one node and of several', async () => {
    const speaksTls = /^127\.0\.0\.1:\d+ speaks TLS, and the address says tls=false/;
    expect(await refusalOf(open('', 'tls=false'))).toMatch(speaksTls);
    expect(await refusalOf(open(`${nova}127.0.0.1:1,`, 'tls=false'))).toMatch(speaksTls);
    expect(await refusalOf(open(nova, 'tls=true', plain))).toMatch(/^127\.0\.0\.1:\d+ does not speak TLS/);
    expect(await refusalOf(open(nova, 'tls=true'))).toMatch(/^the certificate of 127\.0\.0\.1:\d+ is not trusted \(/);
  });

  it('says what is wrong with an address, and nothing of the password', async () => {
    const said = jest.spyOn(console, 'warn');
    const of = (connectionString: string) => refusalOf(EventStoreDbEventStore.open({ connectionString }));
    expect(await of(`esdb://nova:${PASSWORD}@127.0.0.1:1?colour=red`)).toBe(
      'the option colour of its address is not known',
    );
    expect(await of(`esdb://nova:${PASSWORD}@127.0.0.1:1?tlsVerifyCert=false`)).toMatch(
      /^tlsVerifyCert=false has no effect/,
    );
    expect(await of(`esdb://nova:${PASSWORD}@127.0.0.1:1?tls=maybe`)).toMatch(/true or false is expected in it$/);
    expect(await of(`esdb://nova:${PASSWORD}@127.0.0.1:x`)).toMatch(/port number is expected in it$/);
    expect(await of(`esdb://nova:${PASSWORD}@127.0.0.1:1?tlsCAFile=none-such.pem`)).toMatch(/File was not found/);
    expect(said).not.toHaveBeenCalled();
    said.mockRestore();
  });

  it("takes KurrentDB's own scheme", async () => {
    const connectionString = plain.connectionString.replace('esdb:', 'kurrentdb:');
    const store = await EventStoreDbEventStore.open({ connectionString });
    await expect(store.append('a', newEvents(1), 'none')).resolves.toEqual({ revision: 0 });
    await store.close();
  });
});
