import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PostgresEventStore } from '@app/event-store';
import { exportJournal } from '../../apps/api/src/finance/export.js';
import { migrate } from '../../apps/api/src/platform/database/data-source.js';
import { SCHEMA } from '../../apps/api/src/schema.js';
import { importJournal } from '../../apps/api/src/finance/import.js';
import { ChatReadModels } from '../../apps/api/src/chats/chat-read-models.js';
import { ChatSweeper } from '../../apps/api/src/chats/process/chat-sweeper.js';
import { JOURNAL } from '../../apps/api/src/platform/journal/injected-journal.js';
import type { Journal } from '../../apps/api/src/platform/journal/journal.js';
import { ReadModels } from '../../apps/api/src/wallet/read-models.js';
import { startTestApi, type TestMember } from '../support/api.js';
import { rate, talk } from '../support/chats.js';
import { eventually } from '../support/eventually.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { activeChat, requestChat } from '../support/open-chat.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

interface LedgerRow {
  readonly type: string;
  readonly data: string;
}

const LEDGER_EVENTS = `
  select e.type, e.data from journal.events e join journal.streams s on s.id = e.stream where s.name = 'ledger'
  order by e.revision`;

/** A ledger that is restored from its export, without the other streams. */
describe('a system whose ledger was restored', () => {
  let database: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    database = await createTestDatabase('restored');
    folder = mkdtempSync(path.join(tmpdir(), 'nova-restored-'));
  });
  afterAll(async () => {
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('takes what was settled for over, and ends what was open', async () => {
    const { api, admin } = await signInAdmin(startTestApi);
    const file = path.join(folder, 'ledger.jsonl');
    const chats = { done: '', pending: '', declined: '', terminated: '', open: '' };
    try {
      const done = await activeChat(api, admin);
      chats.done = done.chatId;
      await talk(done, 5);
      for (const member of [done.initiator, done.host]) await rate(member, done.chatId);
      const pending = await activeChat(api, admin);
      chats.pending = pending.chatId;
      await talk(pending, 5);
      const terminated = await activeChat(api, admin);
      chats.terminated = terminated.chatId;
      await talk(terminated, 1);
      await terminated.initiator.browser.post(`/api/chats/${terminated.chatId}/exit`);
      const asker = await api.member();
      await grantNova(admin, asker.id, 20_000);
      chats.declined = await requestChat(asker, done.host);
      await done.host.browser.post(`/api/chats/decline-request/${chats.declined}`);
      chats.open = await requestChat(asker, pending.host);
      await settled(admin, chats.declined);
      const { store } = api.nova.app.get<Journal>(JOURNAL);
      let text = '';
      for await (const part of exportJournal(store, 'jsonl', {})) text += part;
      writeFileSync(file, text);
    } finally {
      await api.close();
    }
    const store = await PostgresEventStore.open({ connectionString: database.url });
    await migrate(database.url, SCHEMA);
    await importJournal({ store, pool: database.pool, path: file });
    await store.close();
    const { rows: restored } = await database.pool.query<LedgerRow>(LEDGER_EVENTS);

    const logged: string[] = [];
    const after = await startTestApi({
      database,
      environment: { LOG_LEVEL: 'warn' },
      logTo: { write: (line) => void logged.push(line) },
    });
    try {
      const { nova } = after;
      const models = nova.app.get(ChatReadModels);
      await eventually(async () => (await models.chats.byId(chats.done))?.status === 'completed');
      // The sweep ends chats that were open at the export, and settles what successful chats still owed.
      await database.pool.query(`update read.chats set held_at = held_at - interval '1 minute' where status = 'held'`);
      const news = async (): Promise<readonly LedgerRow[]> =>
        (await database.pool.query<LedgerRow>(LEDGER_EVENTS)).rows.slice(restored.length);
      await eventually(news, (events) => events.length >= 3);
      await nova.app.get(ChatSweeper).beforeApplicationShutdown();
      await nova.app.get(ReadModels).caughtUp(restored.length + 2);
      const told = (await news()).map(({ type, data }) => `${type} ${(JSON.parse(data) as { chatId: string }).chatId}`);
      expect(told.toSorted()).toEqual([
        `ChatPaymentRefunded ${chats.open}`,
        `ChatRewardReleased ${chats.pending}`,
        `ChatRewardReleased ${chats.pending}`,
      ]);
      const statuses = await Promise.all(
        Object.entries(chats).map(async ([name, id]) => [name, (await models.chats.byId(id))?.status]),
      );
      expect(Object.fromEntries(statuses)).toEqual({
        done: 'completed',
        pending: 'completed',
        terminated: 'terminated',
        declined: 'declined',
        open: 'abandoned',
      });
      const { rows: others } = await database.pool.query<{ type: string }>(
        `select e.type from journal.events e join journal.streams s on s.id = e.stream where s.name like 'chat-%'`,
      );
      expect(others).toEqual([{ type: 'ChatRequestAbandoned' }]);
      expect(logged.filter((line) => /another command|retried|could not be swept/.test(line))).toEqual([]);
    } finally {
      await after.close();
    }
  });
});

async function settled(admin: TestMember, chatId: string): Promise<void> {
  await eventually(async () => {
    const { body } = await admin.browser.get('/api/admin/transactions?type=chat_refund&limit=50');
    return (body.transactions as { eventId: string }[]).length > 0 && chatId !== '';
  });
}
