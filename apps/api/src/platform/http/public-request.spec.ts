import { createSocket, type Socket } from 'node:dgram';
import dns from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import tls from 'node:tls';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import ipaddr from 'ipaddr.js';
import { selfMade } from '../../../../../test/support/certificate.js';
import {
  AddressRefused,
  isPublicAddress,
  PublicConnections,
  type PublicRequest,
  refusalOfAddress,
  requestPublic,
} from './public-request.js';

describe('addresses that strangers name', () => {
  it.each([
    ['this network', '0.0.0.0'],
    ['loopback', '127.0.0.1'],
    ['loopback beyond its first', '127.8.9.1'],
    ['private', '10.0.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['shared by a carrier', '100.64.0.1'],
    ['link-local, where clouds keep secrets', '169.254.169.254'],
    ['for protocols', '192.0.0.8'],
    ['for documents', '203.0.113.7'],
    ['for benchmarks', '198.18.0.1'],
    ['6to4 relays', '192.88.99.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['compatible with IPv4', '::7f00:1'],
    ['mapped', '::ffff:127.0.0.1'],
    ['mapped, of a public address', '::ffff:1.1.1.1'],
    ['translated', '::ffff:0:7f00:1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['NAT64 of a network', '64:ff9b:1::1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001::1'],
    ['for documents', '2001:db8::1'],
    ['unique local', 'fd00::1'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['discarded', '100::1'],
    ['no address at all', 'localhost'],
  ])('%s: %s is not public', (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['1.1.1.1', '8.8.8.8', '100.63.255.255', '100.128.0.1', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'])(
    '%s is public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    ['http://push.example.net/a', 'it does not begin with https://'],
    ['ftp://push.example.net/a', 'it does not begin with https://'],
    ['https://user@push.example.net/a', 'it has a name or a password in it'],
    ['https://10.0.0.1/a', 'its host is not public'],
    ['https://2130706433/a', 'its host is not public'],
    ['https://0x7f.1/a', 'its host is not public'],
    ['https://[::ffff:7f00:1]/a', 'its host is not public'],
    ['https://127.0.0.1/a', 'its host is not public'],
    ['push', 'it is not an address'],
  ])('%s is refused: %s', (url, reason) => {
    expect(refusalOfAddress(url, false)).toBe(reason);
  });

  it('takes https to names and public numbers, and loopback on an installation of its own machine alone', () => {
    expect(refusalOfAddress('https://push.example.net/a', false)).toBeUndefined();
    expect(refusalOfAddress('https://1.1.1.1/a', false)).toBeUndefined();
    expect(refusalOfAddress('http://127.0.0.1:8080/a', true)).toBeUndefined();
    expect(refusalOfAddress('http://1.1.1.1/a', true)).toBe('it does not begin with https://');
  });
});

describe('a request to an address that a stranger named', () => {
  const servers: Server[] = [];
  async function serve(answer: RequestListener): Promise<string> {
    const server = createServer(answer).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `http://localhost:${(server.address() as AddressInfo).port}/`;
  }
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** A name server that knows these names, and does not answer for others. */
  async function serveNames(names: Readonly<Record<string, readonly string[]>>): Promise<string[]> {
    const asked: string[] = [];
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    nameServer = socket;
    dns.setServers([`127.0.0.1:${socket.address().port}`]);
    socket.on('message', (query, { port, address }) => {
      const { name, type } = questionOf(query);
      asked.push(`${name} ${type}`);
      const known = names[name];
      if (known) socket.send(answerTo(query, type, known), port, address);
    });
    return asked;
  }
  const systemServers = dns.getServers();
  let nameServer: Socket | undefined;
  afterEach(() => {
    dns.setServers(systemServers);
    nameServer?.close();
    nameServer = undefined;
  });

  const send = (url: string, more: Partial<PublicRequest> = {}) =>
    requestPublic({
      url,
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: Buffer.from('hello'),
      loopbackAllowed: true,
      timeMsMax: 2_000,
      answerBytesMax: 100,
      ...more,
    });

  it('arrives, and its answer comes back', async () => {
    const bodies: string[] = [];
    const url = await serve((request, response) => {
      request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
      request.on('end', () => response.writeHead(201, { location: 'x' }).end('fine'));
    });
    const { status, headers, body } = await send(url);
    expect([status, headers.location, body.toString(), bodies]).toEqual([201, 'x', 'fine', ['hello']]);
  });

  it('reaches nobody where the name leads to this machine', async () => {
    let reached = 0;
    const url = await serve((_, response) => {
      reached += 1;
      response.end();
    });
    const { port } = new URL(url);
    await expect(send(`https://localhost:${port}/`, { loopbackAllowed: false })).rejects.toThrow(AddressRefused);
    await expect(send(url, { loopbackAllowed: false })).rejects.toThrow(AddressRefused);
    expect(reached).toBe(0);
  });

  it('follows no redirect', async () => {
    const asked: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      asked.push(request.url);
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect((await send(url)).status).toBe(302);
    expect(asked).toEqual(['/']);
  });

  it('ends in time where nothing, or not everything, is answered', async () => {
    const silent = await serve(() => undefined);
    await expect(send(silent, { timeMsMax: 100 })).rejects.toThrow();
    const halting = await serve((_, response) => void response.writeHead(200).write('so'));
    await expect(send(halting, { timeMsMax: 100 })).rejects.toThrow();
  });

  // Node 20 keeps what listens to a signal made of several for good, unless it listens once.
  it('leaves nothing in memory once its time is over', async () => {
    const url = await serve((_, response) => response.end('fine'));
    const { signal } = new AbortController();
    const answers: WeakRef<object>[] = [];
    for (let n = 0; n < 20; n++) {
      answers.push(new WeakRef(await send(url, { timeMsMax: 200, signal })));
      answers.push(new WeakRef(await send(url, { timeMsMax: 200 })));
    }
    await setTimeout(400);
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    // The last ones may still be held by what ran them.
    expect(answers.filter((answer) => answer.deref() !== undefined).length).toBeLessThan(5);
  });

  it('ends in time where the other side wants to speak another protocol', async () => {
    const url = await serve((_, { socket }) => {
      socket?.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
    });
    await expect(send(url, { timeMsMax: 100 })).rejects.toThrow();
  });

  it.each([
    ['a private address', ['10.0.0.1']],
    ['a private address beside a public one', ['1.1.1.1', '192.168.0.1']],
    ['this machine', ['::1']],
    ['a mapped address', ['1.1.1.1', '::ffff:10.0.0.1']],
    ['an address behind NAT64', ['64:ff9b::a00:1']],
  ])('reaches nobody where the name leads to %s', async (_, addresses) => {
    await serveNames({ 'push.example.net': addresses });
    await expect(send('https://push.example.net/', { loopbackAllowed: false })).rejects.toThrow(AddressRefused);
  });

  it('asks the name servers once, and by itself: names without an answer keep no other look-up waiting', async () => {
    const asked = await serveNames({ 'push.example.net': ['1.1.1.1'] });
    const request = { loopbackAllowed: false, timeMsMax: 200 };
    await expect(send('https://push.example.net/', request)).rejects.not.toThrow(AddressRefused);
    await expect(send('https://silent.example.net/', request)).rejects.toThrow();
    expect(asked.toSorted()).toEqual([
      'push.example.net A',
      'push.example.net AAAA',
      'silent.example.net A',
      'silent.example.net AAAA',
    ]);
  });

  it('takes no more of an answer than it may', async () => {
    const url = await serve((_, response) => {
      const flood = setInterval(() => response.write('x'.repeat(64)), 1);
      response.on('close', () => clearInterval(flood));
    });
    expect((await send(url)).body).toHaveLength(100);
  });

  it('uses a connection again, which stays where it was checked whatever the name leads to later', async () => {
    const from: (number | undefined)[] = [];
    const server = https.createServer(await selfMade(), (request, response) => {
      from.push(request.socket.remotePort);
      response.end('fine');
    });
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    const url = `https://hooks.example.net:${(server.address() as AddressInfo).port}/`;
    const names = { 'hooks.example.net': ['127.0.0.1'] };
    const asked = await serveNames(names);
    // The certificate is nobody's; all else is as it is.
    const { connect } = tls;
    const trusting = jest
      .spyOn(tls, 'connect')
      .mockImplementation(((options: tls.ConnectionOptions) =>
        connect({ ...options, rejectUnauthorized: false })) as typeof tls.connect);
    const connections = new PublicConnections(true);
    try {
      await send(url, { connections });
      names['hooks.example.net'] = ['10.0.0.1'];
      expect((await send(url, { connections })).body.toString()).toBe('fine');
      expect([asked.length, from.length, new Set(from).size]).toEqual([2, 2, 1]);
      connections.close();
      await expect(send(url, { connections })).rejects.toThrow(AddressRefused);
      await expect(send(url)).rejects.toThrow(AddressRefused);
      expect(from).toHaveLength(2);
    } finally {
      trusting.mockRestore();
      connections.close();
    }
  });

  it('goes by a new connection where the other side has closed the one before', async () => {
    const connections = new PublicConnections(true);
    let asked = 0;
    const url = await serve((request, response) => {
      asked += 1;
      // As a server whose patience with idle connections ends at this very moment.
      if (asked === 2) request.socket.destroy();
      else response.end('fine');
    });
    await send(url, { connections });
    expect((await send(url, { connections })).body.toString()).toBe('fine');
    expect(asked).toBe(3);
    connections.close();
  });

  it('never uses connections of another reach', async () => {
    const url = await serve((_, response) => void response.end());
    const connections = new PublicConnections(false);
    await expect(send(url, { connections })).rejects.toThrow('another reach');
  });
});

const HEADER_BYTES = 12;
const [A, AAAA] = [1, 28];

/** Of a DNS message (RFC 1035, section 4.1.2). */
function questionOf(query: Buffer): { name: string; type: 'A' | 'AAAA'; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1) === A ? 'A' : 'AAAA', end: at + 5 };
}

function answerTo(query: Buffer, type: 'A' | 'AAAA', addresses: readonly string[]): Buffer {
  const records = addresses
    .map((address) => Buffer.from(ipaddr.parse(address).toByteArray()))
    .filter(({ length }) => length === (type === 'A' ? 4 : 16))
    .map((bytes) => {
      // The name of the question, a record of its type in class IN, for no seconds.
      const head = Buffer.from([0xc0, HEADER_BYTES, 0, type === 'A' ? A : AAAA, 0, 1, 0, 0, 0, 0, 0, bytes.length]);
      return Buffer.concat([head, bytes]);
    });
  const header = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0]);
  return Buffer.concat([header, query.subarray(HEADER_BYTES, questionOf(query).end), ...records]);
}
