import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { encodeLedgerEvent, LEDGER_STREAM, type LedgerEvent, NOVA_SUPPLY_MAX } from '@app/domain';
import { type EventStore, MemoryEventStore, PostgresEventStore, StoreUnavailable } from '@app/event-store';
import { chainHash, eventIdOf, GENESIS_HASH, type JournalHead, JournalSigner } from '@app/ledger';
import { readModels } from '@app/projections';
import { grant, ManualClock, startWriter } from '../../../../libs/ledger/src/testing/writers.js';
import { randomCommands } from '../../../../libs/projections/src/testing/random-commands.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { migrate } from '../platform/database/data-source.js';
import { SCHEMA } from '../schema.js';
import { catchUpReadModels } from './catch-up.js';
import { exportJournal } from './export.js';
import { importJournal, type ImportOptions, ImportRefused } from './import.js';
import { replay } from './replay.js';
import { verdictOn, verify } from './verify.js';

jest.setTimeout(60_000);

/** More events than one append takes. */
const COMMANDS = 4_500;

/** A store that goes away for good after so many appends. */
const failingAfter = (store: EventStore, appends: number): EventStore => {
  let left = appends;
  return new Proxy(store, {
    get(target, name) {
      if (name === 'append') {
        return (...given: Parameters<EventStore['append']>) => {
          left -= 1;
          return left < 0 ? Promise.reject(new Error('the machine went off')) : target.append(...given);
        };
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
};

describe('import of an exported journal', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'nova-import-'));
  const source = new MemoryEventStore();
  let lines: string[];
  let head: JournalHead;
  let database: TestDatabase;
  let store: PostgresEventStore;

  beforeAll(async () => {
    const next = randomCommands(5);
    // Begun by an earlier release, and gone on with in both versions of metadata.
    for (const envelope of [1, 2, 1, 2] as const) {
      const writer = await startWriter({ store: source, clock: new ManualClock(), envelope });
      const some = Array.from({ length: COMMANDS / 4 }, () => writer.execute({ command: next(), actor: 'process' }));
      await Promise.all(some);
      await writer.stop();
    }
    let text = '';
    for await (const piece of exportJournal(source, 'jsonl', {})) text += piece;
    lines = text.trimEnd().split('\n');
    ({ head } = await replay(source, {}));
  });

  const openSystem = async (): Promise<void> => {
    database = await createTestDatabase('import');
    await migrate(database.url, SCHEMA);
    store = await PostgresEventStore.open({ connectionString: database.url });
  };

  const closeSystem = async (): Promise<void> => {
    await store.close();
    await database.drop();
  };

  afterAll(() => rmSync(folder, { recursive: true }));

  const fileOf = (content: readonly string[] | Buffer): string => {
    const file = path.join(folder, 'export.jsonl');
    writeFileSync(file, Buffer.isBuffer(content) ? content : `${content.join('\n')}\n`);
    return file;
  };

  const importing = (content: readonly string[] | Buffer, more: Partial<ImportOptions> = {}) =>
    importJournal({ store, pool: database.pool, path: fileOf(content), ...more });

  const isEmpty = async (): Promise<boolean> => (await store.head(LEDGER_STREAM)) === undefined;

  describe('into a system of its own', () => {
    beforeEach(openSystem);
    afterEach(closeSystem);

    it('takes what is signed by those whom it was told to trust, and nothing else', async () => {
      const signer = new JournalSigner(generateKeyPairSync('ed25519').privateKey);
      const { publicKey } = signer;
      const signed = new MemoryEventStore();
      const writer = await startWriter({ store: signed, envelope: 2, signerFor: () => signer });
      const journal = 'ab'.repeat(16);
      await writer.execute(grant('ada', 100n));
      await writer.execute({ command: { type: 'BeginSigning', journal, publicKey }, actor: 'terminal' });
      await Promise.all([1n, 2n, 3n].map((amount) => writer.execute(grant('ben', amount))));
      let text = '';
      for await (const piece of exportJournal(signed, 'jsonl', {})) text += piece;
      const file = text.trimEnd().split('\n');
      const trust = [{ journal, publicKey, from: 1 }];
      const other = [{ journal, publicKey: '0'.repeat(64), from: 1 }];

      await expect(importing(file)).rejects.toThrow(`set JOURNAL_TRUST=${journal}:${publicKey}:1`);
      await expect(importing(file, { trust: other })).rejects.toThrow('Line 2 cannot be taken: revision 1');
      await expect(importing(file.slice(0, -1), { trust })).rejects.toThrow(
        'Line 3 cannot be taken: revision 2 is signed by',
      );
      const [, digit = ''] = /correlationId[\\":]+([0-9a-f])/.exec(file[3] ?? '') ?? [];
      const redirected = file.with(
        3,
        file[3]!.replace(/(correlationId[\\":]+)[0-9a-f]/, digit === '0' ? '$11' : '$10'),
      );
      await expect(importing(redirected, { trust })).rejects.toThrow('Line 3 cannot be taken');
      expect(await isEmpty()).toBe(true);
      expect(await importing(file, { trust })).toMatchObject({ imported: file.length });
    });

    it('gives the same hashes and balances, and a system that verifies', async () => {
      const told: number[] = [];
      const onProgress = (_what: string, done: number, total: number) => told.push(done / total);
      expect(await importing(lines, { anchor: head, onProgress })).toMatchObject({ head, imported: lines.length });
      expect(told.at(-1)).toBe(1);
      const [original, imported] = [await replay(source, {}), await replay(store, {})];
      expect(imported.head).toEqual(original.head);
      expect([...imported.state.accounts()]).toEqual([...original.state.accounts()]);
      let again = '';
      for await (const piece of exportJournal(store, 'jsonl', {})) again += piece;
      expect(again).toBe(`${lines.join('\n')}\n`);
      const verified = async () => {
        const verdicts = new Map<string, string>();
        for await (const finding of verify({ store, pool: database.pool, connectionString: database.url })) {
          verdicts.set(finding.what, verdictOn(finding));
        }
        return verdicts;
      };
      const before = await verified();
      expect(before.get('Invariants')).toBe('ok');
      for (const what of ['Statements', ...readModels.map(({ name }) => `Read model ${name}`)]) {
        expect([what, before.get(what)]).toEqual([what, 'BEHIND']);
      }
      const logger = { info: () => undefined, error: (message: string) => expect(message).toBe('no error') };
      await catchUpReadModels({ store, pool: database.pool, connectionString: database.url, logger });
      expect(new Set((await verified()).values())).toEqual(new Set(['ok']));
      expect(await importing(lines)).toMatchObject({ head, imported: 0 });
    });

    it('goes on where an interrupted one ended', async () => {
      await expect(importing(lines, { store: failingAfter(store, 1) })).rejects.toThrow('the machine went off');
      const there = (await store.head(LEDGER_STREAM))?.revision ?? -1;
      expect(there).toBeGreaterThan(0);
      expect(there).toBeLessThan(head.revision);
      expect(await importing(lines)).toMatchObject({ head, imported: head.revision - there });
      expect((await replay(store, {})).head).toEqual(head);
    });

    it('refuses a journal whose last event is a month ahead, and says what follows where it is taken', async () => {
      const ahead = new MemoryEventStore();
      const ms = Date.now() + 30 * 86_400_000 + 60_000;
      const writer = await startWriter({ store: ahead, clock: new ManualClock(ms) });
      await writer.execute(grant('ada', 100n));
      await writer.stop();
      let text = '';
      for await (const piece of exportJournal(ahead, 'jsonl', {})) text += piece;
      const file = text.trimEnd().split('\n');
      await expect(importing(file)).rejects.toThrow(
        /^The file's last event is dated in the future\. With it, journal time is 30 days ahead: every event is dated .*Z until that has passed\. --take-future takes it\.$/,
      );
      expect(await store.head(LEDGER_STREAM)).toBeUndefined();
      const outcome = await importing(file, { takeFuture: true });
      expect(outcome).toMatchObject({ imported: 1, ahead: expect.stringContaining('30 days ahead') });
      for await (const finding of verify({ store, pool: database.pool, connectionString: database.url })) {
        if (finding.what !== 'Journal time') continue;
        expect(finding.breaches).toEqual([expect.stringContaining('journal time is 30 days ahead')]);
        return;
      }
      throw new Error('verify says nothing of journal time');
    });

    it('writes no more than was checked of a file that grows meanwhile', async () => {
      const onProgress: ImportOptions['onProgress'] = (what, done, total) => {
        if (what === 'Checking' && done === total) fileOf(lines);
      };
      const checked = lines.slice(0, -3);
      expect(await importing(checked, { onProgress })).toMatchObject({ imported: checked.length });
      expect((await store.head(LEDGER_STREAM))?.revision).toBe(checked.length - 1);
    });

    it('repeats an append whose answer was lost', async () => {
      let lost = 0;
      const forgetful = new Proxy<EventStore>(store, {
        get(target, name) {
          if (name !== 'append') return (Reflect.get(target, name) as () => unknown).bind(target);
          return async (...given: Parameters<EventStore['append']>) => {
            const result = await target.append(...given);
            if (lost++ === 0) throw new StoreUnavailable('the answer was lost');
            return result;
          };
        },
      });
      expect(await importing(lines, { store: forgetful })).toMatchObject({ head, imported: lines.length });
      expect(lost).toBeGreaterThan(1);
    });

    it('refuses a system with members, with events of its own, or with another journal', async () => {
      await database.pool.query(
        `insert into accounts (id, display_name, name_key, email, email_key, password_hash, pin_hash, tc_version, tc_accepted_at)
         values (gen_random_uuid(), 'Ada', 'ada', 'a@example.com', 'a@example.com', '', '', '1', now())`,
      );
      await expect(importing(lines)).rejects.toThrow('it has members');
      await database.pool.query('delete from accounts');
      const writer = await startWriter({ store, clock: new ManualClock() });
      await writer.execute(grant('ada', 100n));
      await expect(importing(lines)).rejects.toThrow('its journal does not begin like this file');
      const { head: foreign } = await replay(store, {});
      let own = '';
      for await (const piece of exportJournal(store, 'jsonl', {})) own += piece;
      await writer.execute(grant('bob', 100n));
      await writer.stop();
      await expect(importing(own.trimEnd().split('\n'))).rejects.toThrow('its journal does not begin like this file');
      expect((await store.head(LEDGER_STREAM))?.revision).toBe(foreign.revision + 1);
      await store.append(
        'quest-1',
        [{ id: crypto.randomUUID(), type: 'QuestCreated', data: '{}', metadata: '{}' }],
        'none',
      );
      await expect(importing(lines)).rejects.toThrow('events of its own (quest-1)');
    });

    it('stops when something else is written meanwhile', async () => {
      const racing = new Proxy<EventStore>(store, {
        get(target, name) {
          if (name !== 'append') return (Reflect.get(target, name) as () => unknown).bind(target);
          return async (...given: Parameters<EventStore['append']>) => {
            const writer = await startWriter({ store: target, clock: new ManualClock() });
            await writer.execute(grant('ada', 100n));
            await writer.stop();
            return await target.append(...given);
          };
        },
      });
      await expect(importing(lines, { store: racing })).rejects.toThrow('Something else was written to this system');
      expect((await store.head(LEDGER_STREAM))?.revision).toBe(0);
    });
  });

  describe('refused', () => {
    beforeAll(openSystem);
    afterAll(closeSystem);

    const changed = (line: number, from: string | RegExp, to: string): string[] =>
      lines.map((text, index) => (index === line ? text.replace(from, to) : text));

    const second = (): number => lines.findIndex((line) => line.includes('"metadata":{"nova":2,'));

    it.each<[string, () => readonly string[] | Buffer, string]>([
      ['an amount', () => changed(40, /"(\d+)"\]/, '"1$1"]'), 'Line 41 was changed'],
      ['a time', () => changed(7, '"at":1', '"at":2'), 'Line 8 was changed'],
      ['a type', () => changed(3, /"type":"\w+"/, '"type":"GiftSent"'), 'Line 4 was changed'],
      ['a hash', () => changed(9, /"hash":"./, '"hash":"z'), 'Line 10 is not an event'],
      ['another hash', () => changed(9, /"hash":"[0-9a-f]{3}/, '"hash":"abc'), 'Line 10 was changed'],
      ['an id', () => changed(9, /-8(...)-/, '-8000-'), 'Line 10 was changed'],
      ['a correlation id that is none', () => changed(second(), /(nId":"\w{8})./, '$1+'), `changed`],
      ['metadata of another hash', () => changed(second(), /("nova":2,"hash":")..../, '$10000'), `changed`],
      ['a blank', () => changed(2, '"entries":', '"entries": '), 'Line 3 was changed'],
      ['a missing line', () => lines.toSpliced(20, 1), 'Line 21 is revision 21, where 20 belongs'],
      ['a missing first line', () => lines.slice(1), 'Line 1 is revision 1, where 0 belongs'],
      ['a doubled line', () => lines.toSpliced(20, 0, lines[19] ?? ''), 'Line 21 is revision 19, where 20 belongs'],
      ['a line cut off', () => [...lines.slice(0, 30), (lines[30] ?? '').slice(0, -9)], 'Line 31 is not an event'],
      [
        'the end cut off',
        () => Buffer.from(`${lines.slice(0, 30).join('\n')}\n${lines[30]?.slice(0, -9)}`),
        'Line 31 is not an event',
      ],
      ['an empty line', () => lines.toSpliced(5, 0, ''), 'Line 6 is not an event'],
      ['nothing', () => Buffer.alloc(0), 'The file has no event'],
      [
        'no text',
        () => Buffer.concat([Buffer.from(lines[0] ?? ''), Buffer.from([0xff, 0xfe, 10])]),
        'Line 1 is not text',
      ],
      ['one endless line', () => Buffer.alloc(2_000_000, 'x'), 'a line that is too long'],
      ['another format', () => ['revision,event_id', '0,abc'], 'Line 1 is not an event'],
    ])('refuses a file with %s changed or wrong, and writes nothing', async (_what, content, sentence) => {
      await expect(importing(content())).rejects.toThrow(sentence);
      expect(await isEmpty()).toBe(true);
    });

    it('says so where there is no file', async () => {
      const importingFrom = (file: string) => importJournal({ store, pool: database.pool, path: file });
      await expect(importingFrom(path.join(folder, 'absent.jsonl'))).rejects.toThrow(
        /^There is no file .*absent\.jsonl\.$/,
      );
      await expect(importingFrom(folder)).rejects.toThrow('There is no file');
    });

    it('refuses a file without its end where the end is known', async () => {
      await expect(importing(lines.slice(0, -3), { anchor: head })).rejects.toThrow('not with the anchor');
      expect(await isEmpty()).toBe(true);
    });

    it('refuses a file that was rewritten from the beginning, each link fitting, where the end is known', async () => {
      const anchor = { revision: head.revision, hash: GENESIS_HASH };
      await expect(importing(lines, { anchor })).rejects.toThrow('not with the anchor');
      expect(await isEmpty()).toBe(true);
    });

    const forged = (data: string, type: string): string => {
      const hash = chainHash(GENESIS_HASH, 0, type, data);
      return `{"revision":0,"id":"${eventIdOf(hash, 0)}","type":"${type}","hash":"${hash}","data":${data}}`;
    };

    /** The file with further events, each link fitting; they are dated as the last one is. */
    const extended = (...events: readonly ((at: number) => LedgerEvent)[]): string[] => {
      let { revision, hash } = head;
      const at = Number(/"data":\{"at":(\d+)/.exec(lines.at(-1) ?? '')?.[1]);
      const more = events.map((event) => {
        const [{ type }, data] = [event(at), encodeLedgerEvent(event(at))];
        revision += 1;
        hash = chainHash(hash, revision, type, data);
        const id = eventIdOf(hash, revision);
        return `{"revision":${revision},"id":"${id}","type":"${type}","hash":"${hash}","data":${data}}`;
      });
      return [...lines, ...more];
    };
    const granted =
      (amount: bigint, more: object = {}) =>
      (at: number): LedgerEvent => ({
        type: 'NovaGranted',
        at,
        actor: 'process',
        userId: 'new-1',
        adminId: 'admin',
        amount,
        entries: [
          ['issuance:NOVA', 'NOVA', -100n],
          ['user:new-1:earned', 'NOVA', 100n],
        ],
        ...more,
      });
    const bought =
      (amount: bigint, paymentIntentId: string) =>
      (at: number): LedgerEvent => ({
        type: 'NovaPurchased',
        at,
        actor: 'stripe',
        userId: 'new-1',
        amount,
        paymentIntentId,
        chargedCents: 100,
        livemode: false,
        entries: [
          ['external:stripe', 'NOVA', -amount],
          ['user:new-1:purchased', 'NOVA', amount],
        ],
      });
    const key = { hash: 'ab'.repeat(16), fingerprint: 'cd'.repeat(8) };

    it.each<[string, readonly ((at: number) => LedgerEvent)[], RegExp]>([
      ['one key twice', [granted(100n, { key }), granted(100n, { key })], /has the idempotency key of revision \d+/],
      ['one payment twice', [bought(125_000n, 'pi_a'), bought(125_000n, 'pi_a')], /payment pi_a took effect twice/],
      ['an amount that its entries do not move', [granted(200n)], /NovaGranted has other entries/],
      ['entries of another member', [granted(100n, { userId: 'new-2' })], /NovaGranted has other entries/],
      ['more than all Nova there may be', [bought(NOVA_SUPPLY_MAX, 'pi_b')], /rules refuse there \(INVALID_AMOUNT\)/],
      ['a command without its end', [granted(100n, { part: [0, 2] })], /ends inside a command/],
    ])('refuses a file whose chain fits and that has %s', async (_, events, sentence) => {
      await expect(importing(extended(...events))).rejects.toThrow(sentence);
      await expect(importing(extended(...events))).rejects.toThrow(ImportRefused);
      expect(await isEmpty()).toBe(true);
    });

    it('refuses events that break the rules of the ledger, however well they are chained', async () => {
      const stamp = { at: 1, actor: 'process' } as const;
      const overdrawn = encodeLedgerEvent({
        ...stamp,
        type: 'NovaDeducted',
        userId: 'ada',
        adminId: 'admin',
        amount: 500n,
        entries: [
          ['user:ada:earned', 'NOVA', -500n],
          ['issuance:NOVA', 'NOVA', 500n],
        ],
      });
      await expect(importing([forged(overdrawn, 'NovaDeducted')])).rejects.toThrow(/Line 1 cannot be taken|below zero/);
      const [first = ''] = lines;
      const unknown = first.replace(/^.*"data":/, '').slice(0, -1);
      await expect(importing([forged(unknown, 'MoneyPrinted')])).rejects.toThrow('Line 1 cannot be taken');
      await expect(importing([forged('{"at":1}', 'NovaGranted')])).rejects.toThrow('Line 1 cannot be taken');
      expect(await isEmpty()).toBe(true);
    });
  });
});
