import { randomUUID } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { readModels } from '../../libs/projections/src/index.js';
import { Metrics } from '../../apps/api/src/platform/health/metrics.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { openPlain, openSocketIo } from '../support/live.js';
import { eventually } from '../support/eventually.js';
import { grantNova, signInAdmin } from '../support/money.js';

const ROOT = path.resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** One line of what Prometheus scrapes. */
interface Sample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

class Scrape {
  readonly samples: readonly Sample[];
  readonly types: ReadonlyMap<string, string>;

  constructor(text: string) {
    const lines = text.split('\n');
    this.types = new Map(
      lines.flatMap((line) => {
        const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
        return name && type ? [[name, type] as const] : [];
      }),
    );
    this.samples = lines.flatMap((line) => {
      const [, name, labels = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (!name) return [];
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
        ([, key = '', label = '']) => [key, label] as const,
      );
      return [{ name, labels: new Map(pairs), value: Number(value) }];
    });
  }

  /** The sum of the samples of a name that have these labels. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number {
    return this.samples
      .filter((sample) => sample.name === name)
      .filter((sample) => Object.entries(labels).every(([key, value]) => sample.labels.get(key) === value))
      .reduce((sum, { value }) => sum + value, 0);
  }

  /** Every name that a query may ask for. */
  names(): Set<string> {
    const names = new Set<string>(['up']);
    for (const [name, type] of this.types) {
      names.add(name);
      if (type === 'histogram') for (const part of ['bucket', 'sum', 'count']) names.add(`${name}_${part}`);
    }
    return names;
  }

  labelsOf(name: string): Set<string> {
    const base = name.replace(/_(?:bucket|sum|count)$/, '');
    const own = this.samples.filter((sample) => sample.name === name || sample.name.startsWith(base));
    return new Set(own.flatMap(({ labels }) => [...labels.keys()]));
  }
}

describe('metrics', () => {
  let api: TestApi;
  let admin: TestMember;
  let member: TestMember;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
    member = await api.member();
    await grantNova(admin, member.id, 100_000);
  });
  afterAll(() => api?.close());

  /** Makes the last second's writes no longer count. */
  const forgetWritten = () => Object.assign(api.nova.app.get(Metrics), { written: undefined });
  const scrape = async (): Promise<Scrape> => {
    forgetWritten();
    const answer = await api.browser().get('/metrics');
    expect(answer.status).toBe(200);
    return new Scrape(answer.body);
  };

  it('are written once a second at most, whoever asks', async () => {
    forgetWritten();
    const written = jest.spyOn(api.nova.app.get(Metrics).registry, 'metrics');
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.browser().get('/metrics')));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(written).toHaveBeenCalledTimes(1);
    written.mockRestore();
  });

  /** How figures change while something happens. */
  async function changes(
    name: string,
    labels: Readonly<Record<string, string>>,
    act: () => Promise<unknown>,
  ): Promise<number> {
    const before = (await scrape()).sum(name, labels);
    await act();
    return (await scrape()).sum(name, labels) - before;
  }

  const give = (amount: number, headers?: Record<string, string>) =>
    member.browser.post('/api/gifts/send', { recipientId: admin.id, amount }, headers);

  it('count commands by type, and what became of them', async () => {
    const done = { command: 'SendGift', outcome: 'done' };
    expect(await changes('nova_commands_total', done, () => give(1_000))).toBe(1);
    const accepted = { type: 'SendGift', outcome: 'accepted' };
    expect(await changes('nova_ledger_commands_total', accepted, () => give(1_000))).toBe(1);
    const key = { 'idempotency-key': randomUUID() };
    await give(1_000, key);
    const repeated = { type: 'SendGift', outcome: 'repeated' };
    expect(await changes('nova_ledger_commands_total', repeated, () => give(1_000, key))).toBe(1);
    const tried = { type: 'SendGift', outcome: 'tried' };
    const preview = () => member.browser.post('/api/gifts/preview', { recipientId: admin.id, amount: 1_000 });
    expect(await changes('nova_ledger_commands_total', tried, preview)).toBe(1);
    const settings = { command: 'ChangeChatSettings', outcome: 'done' };
    const setPrice = () => member.browser.send('PATCH', '/api/profile/settings', { body: { minimumChatPrice: 2 } });
    expect(await changes('nova_commands_total', settings, setPrice)).toBe(1);
  });

  it('count refusals by code', async () => {
    const tooMuch = () => give(900_000);
    const command = { command: 'SendGift', code: 'INSUFFICIENT_NOVA' };
    expect(await changes('nova_command_refusals_total', command, tooMuch)).toBe(1);
    const ledger = { type: 'SendGift', code: 'INSUFFICIENT_NOVA' };
    expect(await changes('nova_ledger_refusals_total', ledger, tooMuch)).toBe(1);
    const outcome = { command: 'SendGift', outcome: 'refused' };
    expect(await changes('nova_commands_total', outcome, tooMuch)).toBe(1);
  });

  it('measure batches, appends and waiting for read models', async () => {
    const before = await scrape();
    await give(1_000);
    const after = await scrape();
    for (const name of ['nova_ledger_append_seconds', 'nova_ledger_batch_events', 'nova_ledger_batch_commands']) {
      expect([name, after.sum(`${name}_count`) - before.sum(`${name}_count`)]).toEqual([name, 1]);
      expect(after.sum(`${name}_sum`)).toBeGreaterThan(before.sum(`${name}_sum`));
    }
    for (const name of ['nova_ledger_appends_total', 'nova_ledger_events_total', 'nova_ledger_revision']) {
      expect([name, after.sum(name) > before.sum(name)]).toEqual([name, true]);
    }
    const waits = 'nova_projection_wait_seconds_count';
    expect(after.sum(waits)).toBeGreaterThan(before.sum(waits));
    const refusedOnly = () => give(900_000);
    expect(await changes('nova_ledger_append_seconds_count', {}, refusedOnly)).toBe(0);
  });

  it('show what waits in the ledger', async () => {
    // The journal takes no writes for a moment.
    const holder = await api.database.pool.connect();
    try {
      const { rows } = await holder.query<{ name: string }>(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables where tablename = 'events'`,
      );
      expect(rows).toHaveLength(1);
      await holder.query('begin');
      await holder.query(`lock table ${rows[0]!.name} in exclusive mode`);
      const gifts = [give(1_000), give(1_000), give(1_000)];
      await eventually(scrape, (seen) => seen.sum('nova_ledger_backlog') >= 3);
      await holder.query('rollback');
      for (const gift of gifts) expect((await gift).status).toBe(201);
      expect((await scrape()).sum('nova_ledger_backlog')).toBe(0);
    } finally {
      holder.release(true);
    }
  });

  it('show how far each read model is behind, in events and seconds', async () => {
    const now = await eventually(scrape, (seen) => seen.sum('nova_projection_lag_events') === 0);
    const models = now.samples.filter(({ name }) => name === 'nova_projection_lag_events');
    expect(new Set(models.map(({ labels }) => labels.get('model')))).toEqual(
      new Set(readModels.map(({ name }) => name)),
    );
    const holder = await api.database.pool.connect();
    try {
      // One of them cannot write.
      await holder.query('begin');
      await holder.query(`lock table read.sent_gift in exclusive mode`);
      await give(1_000);
      await eventually(scrape, (seen) => {
        const lag = seen.sum('nova_projection_lag_seconds', { model: 'sent_gifts' });
        return seen.sum('nova_projection_lag_events', { model: 'sent_gifts' }) > 0 && lag > 0 && lag < 60;
      });
    } finally {
      await holder.query('rollback');
      holder.release(true);
    }
    await eventually(scrape, (seen) => seen.sum('nova_projection_lag_events') === 0);
    expect((await scrape()).sum('nova_projection_lag_seconds')).toBe(0);
  });

  it('count live connections, of either protocol', async () => {
    const before = await scrape();
    const sockets = [await openPlain(api, member), await openSocketIo(api, member)];
    const open = await eventually(scrape, (seen) => seen.sum('nova_sockets') === before.sum('nova_sockets') + 2);
    expect(open.sum('nova_socket_members')).toBe(before.sum('nova_socket_members') + 1);
    for (const socket of sockets) socket.close();
    await eventually(scrape, (seen) => seen.sum('nova_sockets') === before.sum('nova_sockets'));
  });

  it('count commands that come by a live connection as all others', async () => {
    const socket = await openPlain(api, member);
    const chatId = randomUUID();
    const message = { command: 'SendMessage', code: 'CHAT_NOT_FOUND' };
    const send = async () => {
      await socket.sendMessage({ chatId, text: 'Hello' });
      await socket.hear('error');
    };
    expect(await changes('nova_command_refusals_total', message, send)).toBe(1);
    for (const [type, command] of [
      ['video_start', 'StartVideoCall'],
      ['video_end', 'EndVideoCall'],
    ] as const) {
      const say = () => {
        socket.say(type, { chatId, sessionId: chatId });
        return socket.hear('error');
      };
      const refused = { command, code: 'CHAT_NOT_FOUND' };
      expect(await changes('nova_command_refusals_total', refused, say)).toBe(1);
    }
    socket.close();
  });

  it('leave out polls of a live connection, which are held back until there is something to say', async () => {
    const socket = await openSocketIo(api, member, ['polling']);
    socket.say('ping');
    await socket.hear('pong');
    const routes = (await scrape()).samples.map(({ labels }) => labels.get('route') ?? '');
    expect(routes.filter((route) => route.startsWith('/ws'))).toEqual([]);
    socket.close();
  });

  it('count HTTP by route and status, whatever callers send', async () => {
    const route = '/api/discovery/profiles/:id';
    const unknown = () => member.browser.get(`/api/discovery/profiles/${randomUUID()}`);
    const series = { route, method: 'GET', status: '404' };
    expect(await changes('nova_http_request_seconds_count', series, unknown)).toBe(1);

    const before = new Set((await scrape()).samples.flatMap(({ labels }) => [...labels.values()]));
    for (let number = 0; number < 5; number++) {
      await api.browser().get(`/nowhere/${randomUUID()}?q=${number}`);
      await api.browser().get(`/api/nowhere/${randomUUID()}`);
      await unknown();
      await give(-number);
      await member.browser.send('REPORT', `/api/gifts/${randomUUID()}`);
    }
    const added = (await scrape()).samples
      .flatMap(({ labels }) => [...labels.values()])
      .filter((value) => !before.has(value));
    expect(added.filter((value) => /[0-9a-f]{8}-/.test(value))).toEqual([]);
    expect(new Set(added).size).toBeLessThan(10);
  });

  it('show the process and its connections', async () => {
    const seen = await scrape();
    for (const pool of ['api', 'ledger', 'projections']) {
      const used = ['busy', 'idle'].map((state) => seen.sum('nova_pg_pool_connections', { pool, state }));
      expect([pool, used[0]! + used[1]! > 0]).toEqual([pool, true]);
    }
    for (const name of [
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
      'nodejs_heap_size_used_bytes',
    ]) {
      expect([name, seen.sum(name) > 0]).toEqual([name, true]);
    }
    const holders = await Promise.all(Array.from({ length: 3 }, () => member.browser.get('/api/auth/user')));
    expect(holders.every(({ status }) => status === 200)).toBe(true);
  });

  describe('their dashboard and alerts', () => {
    interface Panel {
      readonly id: number;
      readonly type: string;
      readonly title: string;
      readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
      readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly legendFormat: string }[];
    }
    interface Dashboard {
      readonly uid: string;
      readonly title: string;
      readonly schemaVersion: number;
      readonly panels: readonly Panel[];
    }
    interface Rule {
      readonly alert: string;
      readonly expr: string;
      readonly for: string;
      readonly labels: { readonly severity: string };
      readonly annotations: { readonly summary: string };
    }
    const dashboard = JSON.parse(read('ops/grafana/nova.json')) as Dashboard;
    const panels = dashboard.panels.filter(({ type }) => type !== 'row');
    const { load } = createRequire(path.join(ROOT, 'node_modules/@nestjs/swagger/package.json'))('js-yaml') as {
      load: (text: string) => { groups: readonly { name: string; rules: readonly Rule[] }[] };
    };
    const { groups } = load(read('ops/prometheus/alerts.yml'));
    const rules = groups.flatMap((group) => group.rules);
    const METRIC = /\b(?:nova|process|nodejs)_[a-z0-9_]+|\bup\b/g;
    /** Labels that Prometheus adds to everything it scrapes. */
    const ADDED = ['instance', 'job', 'le'];

    /** Names and labels of a query that the API does not have. */
    function unknownIn(expr: string, seen: Scrape): string[] {
      const names = [...new Set(expr.match(METRIC) ?? [])];
      if (names.length === 0) return ['no metric at all'];
      const missing = names.filter((name) => !seen.names().has(name));
      const labels = new Set([...ADDED, ...names.flatMap((name) => [...seen.labelsOf(name)])]);
      const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) =>
        list.split(',').map((label) => label.trim()),
      );
      const matched = [...expr.matchAll(/[{,]\s*(\w+)\s*(?:=~|!=|!~|=)"/g)].map(([, label = '']) => label);
      return [...missing, ...[...grouped, ...matched].filter((label) => !labels.has(label))];
    }

    const isBalanced = (expr: string): boolean => {
      const closing: Readonly<Record<string, string>> = { ')': '(', '}': '{', ']': '[' };
      const open: string[] = [];
      for (const sign of expr.replaceAll(/"[^"]*"/g, '')) {
        if ('({['.includes(sign)) open.push(sign);
        else if (closing[sign] && open.pop() !== closing[sign]) return false;
      }
      return open.length === 0;
    };

    // Figures of things that never happened have no labels yet.
    beforeAll(async () => {
      for (const amount of [1_000, 900_000]) await give(amount);
    });

    it('ask for nothing that is not there', async () => {
      const seen = await scrape();
      expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(36);
      expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
      for (const { gridPos } of dashboard.panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      const wrong = panels.flatMap(({ title, targets = [] }) =>
        targets.length === 0
          ? [`${title}: no query`]
          : targets.flatMap(({ expr }) => [
              ...(isBalanced(expr) ? [] : [expr]),
              ...unknownIn(expr, seen).map((name) => `${title}: ${name}`),
            ]),
      );
      expect(wrong).toEqual([]);
      const shown = new Set(
        panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => expr.match(METRIC) ?? [])),
      );
      const own = [...seen.types.keys()].filter((name) => name.startsWith('nova_'));
      const hidden = own.filter((name) => ![...shown].some((asked) => asked.startsWith(name)));
      expect(hidden).toEqual([]);
    });

    it('warn by metrics that are there, with a sentence', async () => {
      const seen = await scrape();
      expect(rules.length).toBeGreaterThan(10);
      expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
      const explained = read('docs/monitoring.md');
      for (const rule of rules) {
        // What the machine's exporter says of disks and clocks is not ours; promtool takes these expressions.
        const isOfMachine = rule.expr.includes('node_');
        expect([rule.alert, isOfMachine ? [] : unknownIn(rule.expr, seen), isBalanced(rule.expr)]).toEqual([
          rule.alert,
          [],
          true,
        ]);
        expect(rule.for).toMatch(/^\d+[smh]$/);
        expect(['page', 'ticket']).toContain(rule.labels.severity);
        expect(rule.annotations.summary).toMatch(/^.{20,}\.$/);
        expect(explained).toContain(`\`${rule.alert}\``);
      }
    });

    const promtool = spawnSync('promtool', ['--version']).error === undefined;
    const withPromtool = promtool ? it : it.skip;
    withPromtool(`are what Prometheus takes${promtool ? '' : ' (promtool is not installed)'}`, () => {
      const check = (...args: string[]) => spawnSync('promtool', ['check', ...args], { cwd: ROOT, encoding: 'utf8' });
      const checked = check('rules', 'ops/prometheus/alerts.yml');
      expect([checked.status, checked.stdout]).toEqual([0, expect.stringContaining(`${rules.length} rules found`)]);
      expect(check('config', 'ops/prometheus/prometheus.yml').status).toBe(0);
    });

    it('leave out what proxies and Prometheus ask when they sum up answers', async () => {
      const routes = ['/health/live', '/health/ready', '/metrics'];
      for (const route of [...routes, '/nowhere']) await api.browser().get(route);
      const seen = (await scrape()).samples.filter(({ name }) => name === 'nova_http_request_seconds_count');
      const known = seen.map(({ labels }) => labels.get('route') ?? '');
      expect(known).toEqual(expect.arrayContaining([...routes, 'none', '/api/gifts/send']));
      const queries = [...rules, ...panels.flatMap(({ targets = [] }) => targets)].map(({ expr }) => expr);
      const summed = queries
        .filter((expr) => expr.includes('nova_http_request_seconds') && !/by \([^)]*\broute\b/.test(expr))
        .flatMap((expr) => [...expr.matchAll(/nova_http_request_seconds\w*(?:\{([^}]*)\})?/g)]);
      expect(summed.length).toBeGreaterThan(5);
      for (const [selector, labels = ''] of summed) {
        const [, pattern = '$.'] = /route!~"([^"]+)"/.exec(labels) ?? [];
        const left = known.filter((route) => new RegExp(`^(?:${pattern})$`).test(route));
        expect([selector, new Set(left)]).toEqual([selector, new Set(routes)]);
      }
    });
  });
});
