import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { grantNova, signInAdmin } from '../support/money.js';

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A span in OTLP's JSON. */
interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
}

interface OtlpBody {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[] }[];
}

/** The test's own collector: it keeps everything it receives. */
class Collector {
  readonly spans: ReceivedSpan[] = [];
  readonly paths = new Set<string>();
  private constructor(private readonly server: Server) {}

  static async start(): Promise<Collector> {
    const server = createServer();
    const collector = new Collector(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        collector.paths.add(request.url ?? '');
        const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as OtlpBody;
        for (const { scopeSpans } of resourceSpans) for (const { spans } of scopeSpans) collector.spans.push(...spans);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER_SPAN_ID = 'b7ad6b7169203331';

const valueOf = ({ attributes }: ReceivedSpan, key: string): string | undefined => {
  const found = attributes.find((attribute) => attribute.key === key);
  return found && String(Object.values(found.value)[0]);
};

describe('traces', () => {
  let collector: Collector;
  let api: TestApi;
  let admin: TestMember;
  let member: TestMember;

  beforeAll(async () => {
    collector = await Collector.start();
    // As people write it, with a slash at the end.
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`, OTEL_BSP_SCHEDULE_DELAY: '100' };
    ({ api, admin } = await signInAdmin(startTestApi, { environment }));
    member = await api.member({ displayName: 'Quite Personal' });
    await grantNova(admin, member.id, 100_000);
  });
  afterAll(async () => {
    await api?.close();
    collector?.close();
  });

  it('show a gift as one trace, from the request to the read models', async () => {
    const sent = await member.browser.post(
      '/api/gifts/send',
      { recipientId: admin.id, amount: 2_000 },
      { traceparent: `00-${TRACE_ID}-${CALLER_SPAN_ID}-01` },
    );
    expect(sent.status).toBe(201);
    const spans = await eventually(
      async () => collector.spans.filter(({ traceId }) => traceId === TRACE_ID),
      (seen) => seen.some(({ name }) => name === 'POST /api/gifts/send'),
    );
    const byName = new Map(spans.map((span) => [span.name, span]));
    const parentOf = ({ parentSpanId }: ReceivedSpan): string =>
      spans.find(({ spanId }) => spanId === parentSpanId)?.name ?? parentSpanId ?? '';
    expect(Object.fromEntries(spans.map((span) => [span.name, parentOf(span)]))).toEqual({
      'POST /api/gifts/send': CALLER_SPAN_ID,
      'command SendGift': 'POST /api/gifts/send',
      ledger: 'command SendGift',
      'ledger decide and queue': 'ledger',
      'ledger append': 'ledger',
      'projections wait': 'command SendGift',
    });
    const request = byName.get('POST /api/gifts/send')!;
    expect(valueOf(request, 'nova.request_id')).toBe(sent.headers.get('x-request-id'));
    expect(valueOf(request, 'http.response.status_code')).toBe('201');
    expect(sent.headers.get('traceparent')).toBe(`00-${TRACE_ID}-${request.spanId}-01`);
    const ledger = byName.get('ledger')!;
    expect(valueOf(ledger, 'nova.command')).toBe('SendGift');
    expect(valueOf(ledger, 'nova.outcome')).toBe('accepted');
    expect(Number(valueOf(byName.get('ledger append')!, 'nova.batch.events'))).toBeGreaterThan(0);
    expect(valueOf(byName.get('projections wait')!, 'nova.projected')).toBe('true');
    for (const { startTimeUnixNano, endTimeUnixNano, parentSpanId } of spans) {
      expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
      const parent = spans.find(({ spanId }) => spanId === parentSpanId);
      // Child spans lie within their parents; both clocks differ by less than 2 ms.
      if (parent) expect(BigInt(startTimeUnixNano) + 2_000_000n).toBeGreaterThan(BigInt(parent.startTimeUnixNano));
    }
    expect(collector.paths).toEqual(new Set(['/v1/traces']));
  });

  it('tell a refusal from a failure', async () => {
    const refused = await member.browser.post('/api/gifts/send', { recipientId: admin.id, amount: 900_000 });
    expect(refused.status).toBe(400);
    const [, traceId] = refused.headers.get('traceparent')?.split('-') ?? [];
    const spans = await eventually(
      async () => collector.spans.filter((span) => span.traceId === traceId),
      (seen) => seen.some(({ name }) => name.startsWith('POST')),
    );
    const command = spans.find(({ name }) => name === 'command SendGift')!;
    expect(valueOf(command, 'nova.code')).toBe('INSUFFICIENT_NOVA');
    expect(spans.map(({ status }) => status.code ?? 0)).toEqual(spans.map(() => 0));
  });

  it('carry nothing of members, and no probes', async () => {
    await api.browser().get('/health/ready');
    await api.browser().get('/metrics');
    await member.browser.get(`/api/users/search?query=Personal`);
    await eventually(
      async () => collector.spans,
      (seen) => seen.some(({ name }) => name === 'GET /api/users/search'),
    );
    const all = JSON.stringify(collector.spans);
    for (const secret of [member.id, admin.id, member.email, 'Personal', member.password, '127.0.0.1']) {
      expect(all).not.toContain(secret);
    }
    expect(collector.spans.filter(({ name }) => /health|metrics/.test(name))).toEqual([]);
  });
});
