import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface StoredObject {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** The time until which nobody can delete it. */
  readonly lockedUntil?: string | undefined;
}

const ACCESS_KEY = 'test-key';
const SECRET_KEY = 'test-secret';
const REGION = 'eu-test-1';
const BUCKET = 'nova-test';

/**
 * A store that speaks S3's HTTP: PUT, GET (with ranges), HEAD and DELETE of objects, lists of them and of their versions, each with
 * a signature (version 4, in the header or in the address) that the server computes and compares, and addresses that
 * expire. In memory.
 */
export class S3Server {
  readonly objects = new Map<string, StoredObject>();
  /** Everything that was ever put, the oldest first: deleted and replaced versions stay. */
  private readonly versions: { readonly key: string; readonly object: StoredObject }[] = [];
  /** Seconds that its clock is ahead. */
  clockAheadSeconds = 0;
  private readonly server: Server = createServer((request, response) => void this.handle(request, response));

  static async start(): Promise<S3Server> {
    const store = new S3Server();
    store.server.listen(0, '127.0.0.1');
    await once(store.server, 'listening');
    return store;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get environment(): Readonly<Record<string, string>> {
    return {
      S3_ENDPOINT: this.url,
      S3_BUCKET: BUCKET,
      S3_REGION: REGION,
      S3_ACCESS_KEY_ID: ACCESS_KEY,
      S3_SECRET_ACCESS_KEY: SECRET_KEY,
    };
  }

  put(key: string, object: StoredObject): void {
    this.versions.push({ key, object });
    this.objects.set(key, object);
  }

  remove(key: string): void {
    this.objects.delete(key);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '/', this.url);
    const refusal = refusalOf(request, url, Date.now() + this.clockAheadSeconds * 1000);
    if (refusal) return sendError(response, 403, ...refusal);
    const [, bucket, ...rest] = url.pathname.split('/');
    if (bucket !== BUCKET) return sendError(response, 404, 'NoSuchBucket', 'The specified bucket does not exist');
    this.answer(request, response, { key: rest.join('/'), body: Buffer.concat(chunks), query: url.searchParams });
  }

  private answer(
    request: IncomingMessage,
    response: ServerResponse,
    { key, body, query }: { readonly key: string; readonly body: Buffer; readonly query: URLSearchParams },
  ): void {
    if (request.method === 'PUT') {
      const lockedUntil = lockOf(request);
      if (lockedUntil !== undefined && request.headers['content-md5'] !== md5Of(body, 'base64')) {
        return sendError(response, 400, 'InvalidRequest', 'Content-MD5 OR x-amz-checksum- HTTP header is required');
      }
      this.put(key, { bytes: body, contentType: request.headers['content-type'] ?? '', lockedUntil });
      response.writeHead(200, { etag: etagOf(body) }).end();
      return;
    }
    if (request.method === 'DELETE') {
      this.remove(key);
      response.writeHead(204).end();
      return;
    }
    if (key === '' && query.get('list-type') === '2') return sendList(response, [...this.objects.keys()], query);
    if (key === '') return sendVersions(response, this.versions, query);
    const version = query.get('versionId');
    const found = version === null ? this.objects.get(key) : this.versions[Number(version)]?.object;
    if (!found) return sendError(response, 404, 'NoSuchKey', 'The specified key does not exist.');
    sendObject(request, response, found);
  }
}

function sendObject(request: IncomingMessage, response: ServerResponse, { bytes, contentType }: StoredObject): void {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const part = first === undefined ? bytes : bytes.subarray(Number(first), Number(last) + 1);
  const range = first === undefined ? {} : { 'content-range': `bytes ${first}-${last}/${bytes.length}` };
  const headers = { etag: etagOf(bytes), 'content-type': contentType, 'content-length': part.length, ...range };
  response.writeHead(first === undefined ? 200 : 206, headers).end(request.method === 'HEAD' ? undefined : part);
}

/** The page of a list of objects that is asked for, of two each. */
function sendList(response: ServerResponse, all: readonly string[], query: URLSearchParams): void {
  const prefix = query.get('prefix') ?? '';
  const found = all.filter((key) => key.startsWith(prefix)).toSorted();
  const from = Number(query.get('continuation-token') ?? 0);
  const isMore = from + 2 < found.length;
  const next = isMore ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : '';
  const page = found.slice(from, from + 2).map((key) => `<Contents><Key>${key}</Key></Contents>`);
  response
    .writeHead(200, { 'content-type': 'application/xml' })
    .end(
      '<?xml version="1.0" encoding="UTF-8"?><ListBucketResult>' +
        `<IsTruncated>${isMore}</IsTruncated>${next}${page.join('')}</ListBucketResult>`,
    );
}

/** The page of a list of versions that is asked for, of two each. */
function sendVersions(
  response: ServerResponse,
  all: readonly { readonly key: string }[],
  query: URLSearchParams,
): void {
  const prefix = query.get('prefix') ?? '';
  const found = all.map(({ key }, id) => ({ key, id })).filter(({ key }) => key.startsWith(prefix));
  const from = Number(query.get('version-id-marker') ?? 0);
  const page = found.slice(from, from + 2).map(({ key, id }) => {
    return `<Version><Key>${key}</Key><VersionId>${id}</VersionId></Version>`;
  });
  const isMore = from + 2 < found.length;
  const markers = `<NextKeyMarker>x</NextKeyMarker><NextVersionIdMarker>${from + 2}</NextVersionIdMarker>`;
  response
    .writeHead(200, { 'content-type': 'application/xml' })
    .end(
      '<?xml version="1.0" encoding="UTF-8"?><ListVersionsResult>' +
        `<IsTruncated>${isMore}</IsTruncated>${isMore ? markers : ''}${page.join('')}</ListVersionsResult>`,
    );
}

/** What an object is to be locked by, in the one mode that nobody can take back. */
function lockOf({ headers }: IncomingMessage): string | undefined {
  const until = headers['x-amz-object-lock-retain-until-date'];
  return headers['x-amz-object-lock-mode'] === 'COMPLIANCE' ? String(until) : undefined;
}

const md5Of = (bytes: Buffer, encoding: 'hex' | 'base64'): string => createHash('md5').update(bytes).digest(encoding);
const etagOf = (bytes: Buffer): string => `"${md5Of(bytes, 'hex')}"`;

function sendError(response: ServerResponse, status: number, code: string, message: string): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`);
}

interface Signed {
  readonly credential: string;
  readonly date: string;
  readonly signedHeaders: string;
  readonly signature: string;
  readonly payload: string;
}

type Refusal = readonly [code: string, message: string];

function refusalOf(request: IncomingMessage, url: URL, now: number): Refusal | undefined {
  const signed = url.searchParams.has('X-Amz-Signature') ? inAddress(url) : inHeader(request);
  if (!signed) return ['AccessDenied', 'Access Denied'];
  if (signatureOf(request, url, signed) !== signed.signature) {
    return ['SignatureDoesNotMatch', 'The request signature we calculated does not match the signature you provided.'];
  }
  const expires = Number(url.searchParams.get('X-Amz-Expires') ?? 900);
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(signed.date) ?? [];
  const signedAt = Date.UTC(Number(y), Number(mo) - 1, Number(d), Number(h), Number(mi), Number(s));
  return now > signedAt + expires * 1000 ? ['AccessDenied', 'Request has expired'] : undefined;
}

const inAddress = ({ searchParams: query }: URL): Signed => ({
  credential: query.get('X-Amz-Credential') ?? '',
  date: query.get('X-Amz-Date') ?? '',
  signedHeaders: query.get('X-Amz-SignedHeaders') ?? '',
  signature: query.get('X-Amz-Signature') ?? '',
  payload: 'UNSIGNED-PAYLOAD',
});

function inHeader({ headers }: IncomingMessage): Signed | undefined {
  const [, credential, signedHeaders, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (credential === undefined || signedHeaders === undefined || signature === undefined) return undefined;
  const payload = String(headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD');
  return { credential, date: String(headers['x-amz-date'] ?? ''), signedHeaders, signature, payload };
}

/** Signature version 4 of a request as it came. Keys here need no escaping. */
function signatureOf(request: IncomingMessage, url: URL, signed: Signed): string {
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .toSorted();
  const headers = signed.signedHeaders
    .split(';')
    .map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`);
  const canonical = [
    request.method,
    url.pathname,
    query.join('&'),
    headers.join(''),
    signed.signedHeaders,
    signed.payload,
  ];
  const [keyId, day = '', region = '', service = '', end = ''] = signed.credential.split('/');
  if (keyId !== ACCESS_KEY || region !== REGION) return '';
  const hash = createHash('sha256').update(canonical.join('\n')).digest('hex');
  const text = ['AWS4-HMAC-SHA256', signed.date, `${day}/${region}/${service}/${end}`, hash].join('\n');
  const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();
  const key = [region, service, end].reduce<Buffer>(hmac, hmac(`AWS4${SECRET_KEY}`, day));
  return createHmac('sha256', key).update(text).digest('hex');
}
