import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Currency, type LedgerState, Money } from '@app/domain';
import { MemoryEventStore } from '@app/event-store';
import { type LedgerWriter, StoredLedger } from '@app/ledger';
import type { Pool } from 'pg';
import { ManualClock, startWriter } from '../../../../libs/ledger/src/testing/writers.js';
import { randomCommands } from '../../../../libs/projections/src/testing/random-commands.js';
import { readDayOrMoment } from '../platform/day-or-moment.js';
import { Books } from './books.js';
import { type ExportFormat, exportJournal, type ExportOptions } from './export.js';
import { beancountAccount } from './exports/beancount.js';
import { walkJournal } from './journal-walk.js';
import { momentBefore, momentOf } from './moments.js';
import { replay } from './replay.js';

const COMMANDS = 900;
const START = Date.UTC(2026, 0, 30, 12);
const HOUR_MS = 3_600_000;
/** Text that no format may mistake for syntax. */
const HOSTILE = '=1+1, "quoted" \\ ; comment | \u2028 x\r\n2026-01-01 (0) Forged\n    treasury  1.00 NOVA';

type Balances = Map<string, bigint>;

const add = (balances: Balances, account: string, currency: string, amount: string): void => {
  const key = `${account} ${currency}`;
  const sum = (balances.get(key) ?? 0n) + Money.parse(amount, currency as Currency).minor;
  if (sum === 0n) balances.delete(key);
  else balances.set(key, sum);
};

/** The formats with every event; `exports/dollar-exports.spec.ts` is about what some of them say in dollars. */
const FORMATS = ['hledger', 'beancount', 'csv', 'jsonl'] as const;
type Format = (typeof FORMATS)[number];
const hasDollars = (format: Format): boolean => format === 'hledger' || format === 'beancount';

/** Reads an export's Nova back as its format is defined, as far as our events use it. */
const READERS: Readonly<Record<Format, (text: string) => Balances>> = {
  hledger(text) {
    const balances: Balances = new Map();
    const posting = /^ {4}([^\s;]+) {2}(\S+) (NOVA|KARMA|INFLUENCE|SEYVN)(?: @@ \S+ XTS)?$/gm;
    for (const [, account = '', amount = '', currency = ''] of text.matchAll(posting)) {
      add(balances, account, currency, amount);
    }
    return balances;
  },
  beancount(text) {
    const balances: Balances = new Map();
    const posting = /^ {2}([A-Z]\S+) {2}(\S+) (NOVA|KARMA|INFLUENCE|SEYVN)(?: @@ \S+ XTS)?\n {4}account: "([^"]+)"$/gm;
    for (const [, shown = '', amount = '', currency = '', account = ''] of text.matchAll(posting)) {
      expect(shown).toBe(beancountAccount(account as Parameters<typeof beancountAccount>[0]));
      add(balances, account, currency, amount);
    }
    return balances;
  },
  csv(text) {
    const balances: Balances = new Map();
    const row = /([a-z][\w:-]*),([A-Z]+),(-?[\d.]+),[0-9a-f]{64}$/gm;
    for (const [, account = '', currency = '', amount = ''] of text.matchAll(row)) {
      add(balances, account, currency, amount);
    }
    return balances;
  },
  jsonl(text) {
    const balances: Balances = new Map();
    for (const line of text.trimEnd().split('\n')) {
      const { data } = JSON.parse(line) as { data: { entries: [string, Currency, string][] } };
      for (const [account, currency, minor] of data.entries) {
        add(balances, account, currency, Money.ofMinor(BigInt(minor), currency).toDecimal());
      }
    }
    return balances;
  },
};

describe('exports of the journal', () => {
  const store = new MemoryEventStore();
  const clock = new ManualClock(START);
  let writer: LedgerWriter;
  let state: LedgerState;

  beforeAll(async () => {
    writer = await startWriter({ store, clock });
    const next = randomCommands(23);
    for (let round = 0; round < COMMANDS; round++) {
      clock.ms += HOUR_MS / 4;
      await writer.execute({ command: next(), actor: 'process', ...(round % 50 === 0 && { cause: HOSTILE }) });
    }
    ({ state } = await replay(store, {}));
  });

  afterAll(() => writer.stop());

  const exported = async (format: ExportFormat, options: ExportOptions = {}): Promise<string> => {
    let text = '';
    for await (const piece of exportJournal(store, format, options)) text += piece;
    return text;
  };

  const balancesOf = (found: LedgerState): Balances => {
    const balances: Balances = new Map();
    for (const [account, currency, balance] of found.accounts()) {
      if (balance !== 0n) balances.set(`${account} ${currency}`, balance);
    }
    return balances;
  };

  it.each(FORMATS)('%s names every event, and adds up to the balances of the journal', async (format) => {
    const text = await exported(format);
    for await (const { recorded, head } of walkJournal(store, {})) {
      expect(text).toContain(recorded.id);
      expect(text).toContain(head.hash);
    }
    expect(READERS[format](text)).toEqual(balancesOf(state));
  });

  it.each(FORMATS)('%s of a period holds the events of it and no other', async (format) => {
    const opening = await momentBefore(new StoredLedger(store), new Date(Date.UTC(2026, 1, 1)));
    const [from, until] = [Date.UTC(2026, 1, 1), Date.UTC(2026, 1, 3)];
    const closing = await momentBefore(new StoredLedger(store), new Date(until));
    expect(opening.revision).toBeGreaterThan(10);
    expect(closing.revision).toBeGreaterThan(opening.revision + 10);
    const told: number[] = [];
    const text = await exported(format, {
      after: opening,
      upTo: closing.revision,
      from,
      until,
      onProgress: (done, total) => told.push(done, total),
    });
    for await (const { recorded } of walkJournal(store, {})) {
      const isInside = recorded.revision > opening.revision && recorded.revision <= closing.revision;
      expect([recorded.revision, text.includes(recorded.id)]).toEqual([recorded.revision, isInside]);
    }
    // Dollars follow from all events before, so these are read as well; opening balances stand for them.
    const events = closing.revision - (hasDollars(format) ? -1 : opening.revision);
    expect(told.slice(-2)).toEqual([events, events]);
    const { state: before } = await replay(store, { upTo: opening.revision });
    const { state: after } = await replay(store, { upTo: closing.revision });
    const sums = hasDollars(format) ? new Map<string, bigint>() : balancesOf(before);
    for (const [key, delta] of READERS[format](text)) {
      const sum = (sums.get(key) ?? 0n) + delta;
      if (sum === 0n) sums.delete(key);
      else sums.set(key, sum);
    }
    expect(sums).toEqual(balancesOf(after));
  });

  it('finds the last event before a time, whatever the time', async () => {
    const times: number[] = [];
    for await (const { event } of walkJournal(store, {})) times.push(event.at);
    const last = times.length - 1;
    for (const at of [0, START, START + 1, ...times.slice(0, 40), times[last] ?? 0, (times[last] ?? 0) + 1]) {
      const expected = times.findLastIndex((time) => time < at);
      const found = await momentBefore(new StoredLedger(store), new Date(at));
      expect([at, found.revision]).toEqual([at, expected]);
      expect(found).toEqual(await momentOf(new StoredLedger(store), expected));
    }
    expect(await momentOf(new StoredLedger(store), last + 1)).toBeUndefined();
  });

  it('lets no text end a tag of hledger, nor be a formula in a spreadsheet', async () => {
    expect(await exported('hledger')).toContain('cause:=1+1  "quoted" \\   comment   \u2028 x 2026-01-01 (0) Forged');
    expect(await exported('csv')).toContain(`,"'=1+1, ""quoted""`);
  });

  it('is of whole days, from the first event of one to the last of another, and of moments to the millisecond', async () => {
    const times: number[] = [];
    for await (const { event } of walkJournal(store, {})) times.push(event.at);
    const isReached = { query: () => Promise.resolve({ rows: [{ revision: String(times.length - 1) }] }) };
    const books = new Books(new StoredLedger(store), isReached as unknown as Pool, () => Promise.resolve());
    const first = times.findIndex((at) => at >= Date.UTC(2026, 1, 1));
    const last = times.findLastIndex((at) => at < Date.UTC(2026, 1, 3));
    const moment = (revision: number) => readDayOrMoment(new Date(times[revision] ?? 0).toISOString());
    for (const period of [
      { from: readDayOrMoment('2026-02-01'), to: readDayOrMoment('2026-02-02') },
      { from: moment(first), to: moment(last) },
    ]) {
      for (const { opening, closing } of [await books.period(period), await books.journalPeriod(period)]) {
        expect([opening.revision + 1, closing.revision]).toEqual([times.indexOf(times[first] ?? 0), last]);
      }
      expect((await books.moment({ at: period.to })).revision).toBe(last);
    }
  });

  it('keeps the stored bytes in JSON lines', async () => {
    const lines = (await exported('jsonl')).trimEnd().split('\n');
    for await (const { recorded } of walkJournal(store, {})) {
      expect(lines[recorded.revision]).toContain(`"data":${recorded.data}}`);
    }
  });

  it('names different accounts differently for Beancount, in words that it takes', () => {
    const names = ['a_b', 'a-b', 'A-b', '0', '-', '_', 'abc', 'Hex-61'].map((id) =>
      beancountAccount(`user:${id}:earned`),
    );
    expect(new Set(names).size).toBe(names.length);
    for (const name of [...names, beancountAccount('issuance:NOVA'), beancountAccount('pool:thread:x_y')]) {
      expect(name).toMatch(/^(?:Assets|Liabilities|Equity)(?::[A-Z0-9][A-Za-z0-9-]*)+$/);
    }
  });

  const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
  const withFile = async (format: ExportFormat, use: (file: string) => void): Promise<void> => {
    const folder = mkdtempSync(path.join(tmpdir(), 'nova-export-'));
    try {
      const file = path.join(folder, `nova.${format}`);
      writeFileSync(file, await exported(format));
      use(file);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  const hasHledger = has('hledger');
  if (!hasHledger) console.warn('SKIPPED: hledger is not installed, so its export was not checked with it');

  (hasHledger ? it : it.skip)('is what hledger accepts, with the same balances', async () => {
    await withFile('hledger', (file) => {
      const asked = ['balance', '-f', file, 'not:cur:XTS', '--flat', '--no-total', '-O', 'csv', '--layout', 'bare'];
      const csv = execFileSync('hledger', asked, { encoding: 'utf8' });
      const theirs: Balances = new Map();
      for (const line of csv.trim().split('\n').slice(1)) {
        const [account = '', currency = '', amount = ''] = line.split(',').map((cell) => cell.replaceAll('"', ''));
        add(theirs, account, currency, amount);
      }
      expect(theirs).toEqual(balancesOf(state));
    });
  });

  const hasBeancount = has('bean-check') && has('bean-query');
  if (!hasBeancount) console.warn('SKIPPED: Beancount is not installed, so its export was not checked with it');

  (hasBeancount ? it : it.skip)('is what Beancount accepts, with the same balances', async () => {
    await withFile('beancount', (file) => {
      const query =
        "select any_meta('account') as account, currency, sum(number) as amount where currency != 'XTS' group by account, currency";
      const csv = execFileSync('bean-query', ['-f', 'csv', '-m', file, query], { encoding: 'utf8' });
      const theirs: Balances = new Map();
      for (const line of csv.trim().split('\n').slice(1)) {
        const [account = '', currency = '', amount = ''] = line.split(',').map((cell) => cell.trim());
        add(theirs, account, currency, amount.replace(/\.0+$/, '.00'));
      }
      expect(theirs).toEqual(balancesOf(state));
    });
  });
});
