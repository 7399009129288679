import type { ChatCommand } from '@app/domain';
import type { EventStore } from '@app/event-store';
import type { Ledger } from '@app/ledger';
import { v7 as uuidv7 } from 'uuid';
import { ChatClock } from '../../apps/api/src/chats/chat-messages.js';
import { ChatStore } from '../../apps/api/src/chats/chat-store.js';
import { ChatProcess } from '../../apps/api/src/chats/process/chat-process.js';
import { ChatSweeper } from '../../apps/api/src/chats/process/chat-sweeper.js';
import { MemberRelations } from '../../apps/api/src/members/member-relations.js';
import { EVENT_STORE } from '../../apps/api/src/platform/journal/injected-journal.js';
import { StreamMetadata } from '../../apps/api/src/platform/journal/stream-metadata.js';
import { LEDGER } from '../../apps/api/src/platform/ledger/injected-ledger.js';
import type { Rounds } from '../../apps/api/src/platform/rounds.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { moveChatTime } from '../support/chats.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const PRICE = 125_000n;
const BY = { actor: 'process' } as const;
const MESSAGE = { characters: 60, nonBlankCharacters: 50 };

interface Party {
  readonly chatId: string;
  readonly initiator: TestMember;
  readonly host: TestMember;
}

/**
 * Takes the steps of a chat one by one, as a process leaves them that is killed in between: only the ledger's, or only
 * the chat's (rule ledger-33).
 */
class Steps {
  private readonly ledger: Ledger;
  private readonly chats: ChatStore;

  constructor(private readonly api: TestApi) {
    this.ledger = api.nova.app.get<Ledger>(LEDGER);
    const store = api.nova.app.get<EventStore>(EVENT_STORE);
    this.chats = new ChatStore({ store, clock: api.nova.app.get(ChatClock), metadata: new StreamMetadata(2) });
  }

  async hold(givenHost?: TestMember): Promise<Party> {
    const [initiator, host] = [await this.api.member(), givenHost ?? (await this.api.member())];
    await this.grant(initiator.id);
    const chatId = uuidv7();
    await this.holdAs(chatId, { initiator, host });
    return { chatId, initiator, host };
  }

  async holdAs(chatId: string, { initiator, host }: Omit<Party, 'chatId'>): Promise<void> {
    const outcome = await this.ledger.execute({
      command: { type: 'HoldChatPayment', chatId, initiatorId: initiator.id, hostId: host.id, amount: PRICE },
      actor: `member:${initiator.id}`,
      key: { scope: 'fact', value: `chat:${chatId}:hold` },
    });
    if (outcome.status !== 'accepted') throw new Error('the hold was refused');
  }

  async grant(userId: string): Promise<void> {
    const command = { type: 'GrantNova', userId, adminId: 'root', amount: PRICE } as const;
    const outcome = await this.ledger.execute({ command, actor: 'admin:root' });
    if (outcome.status !== 'accepted') throw new Error('the grant was refused');
  }

  async request(givenHost?: TestMember): Promise<Party> {
    const party = await this.hold(givenHost);
    const { chatId, initiator, host } = party;
    await this.take(chatId, { type: 'RequestChat', chatId, initiatorId: initiator.id, hostId: host.id, price: PRICE });
    return party;
  }

  async talk(exchanges: number, givenHost?: TestMember): Promise<Party> {
    const party = await this.request(givenHost);
    await this.take(party.chatId, { type: 'AcceptChat', memberId: party.host.id });
    for (let done = 0; done < exchanges; done++) {
      for (const { id } of [party.initiator, party.host]) {
        await this.take(party.chatId, { type: 'SendChatMessage', memberId: id, messageId: uuidv7(), ...MESSAGE });
      }
    }
    return party;
  }

  async complete({ chatId, initiator, host }: Party): Promise<void> {
    for (const { id } of [host, initiator]) await this.take(chatId, { ...RATING, memberId: id });
  }

  async take(chatId: string, command: ChatCommand): Promise<void> {
    const outcome = await this.chats.execute(chatId, command, BY);
    if ('rejection' in outcome) throw new Error(`${command.type}: ${outcome.rejection.code}`);
  }
}

const RATING = { type: 'RateChat', rating: 90, follow: true } as const;

describe('what a crash leaves half-way in a paid chat', () => {
  let database: TestDatabase;
  let api: TestApi;
  let steps: Steps;

  beforeAll(async () => {
    database = await createTestDatabase('repair');
    api = await start();
    steps = new Steps(api);
  });
  afterAll(async () => {
    await api?.close();
    await database.drop();
  });

  const start = (): Promise<TestApi> => startTestApi({ database, environment: { RATE_LIMIT_FACTOR: '1000' } });

  const balances = async ({ chatId, initiator, host }: Party) => {
    const { rows } = await database.pool.query<Record<string, string>>(
      `select coalesce((select balance from read.account_balance where account = $1), 0) as escrow,
         coalesce((select purchased + earned from read.member_balance where user_id = $2), 0) as initiator,
         coalesce((select earned from read.member_balance where user_id = $3), 0) as host,
         coalesce((select pending from read.member_balance where user_id = $3), 0) as pending,
         coalesce((select influence from read.member_balance where user_id = $2), 0) as influence,
         coalesce((select shares from read.pool_share where user_id = $2 and pool = $4), 0) as thread`,
      [`chat:${chatId}`, initiator.id, host.id, `pool:thread:${host.id}`],
    );
    return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]));
  };
  const NOTHING = { escrow: 0, initiator: 0, host: 0, pending: 0, influence: 0, thread: 0 };
  const settledAs = (expected: Partial<typeof NOTHING>) => async (party: Party) => {
    const whole = { ...NOTHING, ...expected };
    await eventually(
      () => balances(party),
      (seen) => JSON.stringify(seen) === JSON.stringify(whole),
    );
  };

  /** Each of these was written while no process was there to continue. */
  const CASES: readonly [name: string, leave: () => Promise<Party>, expected: Partial<typeof NOTHING>][] = [
    [
      'a request that was declined',
      async () => {
        const party = await steps.request();
        await steps.take(party.chatId, { type: 'DeclineChat', memberId: party.host.id });
        return party;
      },
      { initiator: 125_000 },
    ],
    [
      'a chat that the host broke off',
      async () => {
        const party = await steps.talk(2);
        await steps.take(party.chatId, { type: 'TerminateChat', memberId: party.host.id, cause: 'exit' });
        return party;
      },
      { initiator: 125_000 },
    ],
    [
      'a chat that the initiator broke off',
      async () => {
        const party = await steps.talk(2);
        await steps.take(party.chatId, { type: 'TerminateChat', memberId: party.initiator.id, cause: 'exit' });
        return party;
      },
      // (120 + 240) / 600 of 1,250 Nova are due, half of that to the host.
      { initiator: 50_000, host: 37_500 },
    ],
    ['a successful chat', () => steps.talk(5), { pending: 62_500 }],
    [
      'a chat that one side has rated',
      async () => {
        const party = await steps.talk(5);
        await steps.take(party.chatId, { ...RATING, memberId: party.host.id });
        return party;
      },
      { host: 62_500 },
    ],
    [
      'a completed chat',
      async () => {
        const party = await steps.talk(5);
        await steps.complete(party);
        return party;
      },
      { host: 62_500, influence: 1, thread: 1 },
    ],
  ];

  it.each(CASES)('%s is paid by the process manager', async (_name, leave, expected) => {
    await settledAs(expected)(await leave());
  });

  it('a request whose maker fell silent gives way to a new one, and the maker who wakes up has it back', async () => {
    const { initiator, host } = await steps.hold();
    await steps.grant(initiator.id);
    const silent = uuidv7();
    const [first, second] = [initiator.id, host.id].toSorted((a, b) => (a < b ? -1 : 1));
    await database.pool.query(
      `insert into chat_pairs (first_id, second_id, chat_id, initiator_id, taken_at)
       values ($1, $2, $3, $4, now() - interval '1 minute')`,
      [first, second, silent, initiator.id],
    );
    const asked = await initiator.browser.post('/api/chats/initiate', { hostId: host.id });
    expect(asked.status).toBe(201);

    await steps.grant(initiator.id);
    await steps.holdAs(silent, { initiator, host });
    const ids = { chatId: silent, initiatorId: initiator.id, hostId: host.id };
    await expect(steps.take(silent, { type: 'RequestChat', ...ids, price: PRICE })).rejects.toThrow('CHAT_EXISTS');
    const time = moveChatTime(api);
    try {
      time.forward(6_000);
      await settledAs({ initiator: 125_000 })({ chatId: silent, initiator, host });
    } finally {
      time.restore();
    }
  });

  it('all of it is finished by the next start, and nothing twice', async () => {
    await Promise.all(
      [ChatProcess, ChatSweeper].map((part) => api.nova.app.get<Rounds>(part).beforeApplicationShutdown()),
    );
    const left: [Party, Partial<typeof NOTHING>][] = [];
    for (const [, leave, expected] of CASES) left.push([await leave(), expected]);
    const alone = await steps.hold();
    for (const [party] of left) expect(await balances(party)).toMatchObject({ escrow: 125_000, pending: 0, host: 0 });

    await api.close();
    api = await start();
    const second = await start();
    try {
      for (const [party, expected] of left) await settledAs(expected)(party);
      const time = moveChatTime(second);
      time.forward(11_000);
      await settledAs({ initiator: 125_000 })(alone);
      time.restore();
      for (const [party, expected] of left) expect(await balances(party)).toEqual({ ...NOTHING, ...expected });
    } finally {
      await second.close();
    }
    const { rows } = await database.pool.query<{ name: string; n: string }>(
      `select m.type as name, count(*) as n from (
         select type, data::json ->> 'chatId' as chat, data::json ->> 'side' as side from journal.events
         where type in ('ChatPaymentRefunded', 'ChatPaymentSettled', 'ChatRewardReleased', 'ThreadShareGranted')) m
       group by m.type, m.chat, m.side having count(*) > 1`,
    );
    expect(rows).toEqual([]);
    steps = new Steps(api);
  });

  it('what the process manager has not done when it stops is done after the next start', async () => {
    const relations = api.nova.app.get(MemberRelations);
    const away = jest.spyOn(relations, 'followAfterRating').mockRejectedValue(new Error('away'));
    const { chatId, initiator, host } = await steps.talk(5);
    await steps.take(chatId, { ...RATING, memberId: host.id });
    await eventually(() => away.mock.calls.some(([{ raterId }]) => raterId === host.id));
    await api.close();
    api = await start();
    steps = new Steps(api);
    await eventually(
      () => api.nova.app.get(MemberRelations).relation(host.id, initiator.id),
      ({ following }) => following,
    );
  });

  it('an end that the process manager has given up is found by the sweep', async () => {
    await api.nova.app.get(ChatProcess).beforeApplicationShutdown();
    const party = await steps.talk(5);
    const time = moveChatTime(api);
    try {
      time.forward(6_000);
      await settledAs({ pending: 62_500 })(party);
    } finally {
      time.restore();
    }
  });

  it('Karma for the fifth completed chat is minted when it was not', async () => {
    // The test before stopped the process manager; only the sweep is left.
    const host = await api.member();
    for (let chats = 0; chats < 5; chats++) await steps.complete(await steps.talk(5, host));
    const karma = async (): Promise<string | undefined> =>
      (
        await database.pool.query<{ karma: string }>('select karma from read.member_balance where user_id = $1', [
          host.id,
        ])
      ).rows[0]?.karma;
    await eventually(karma, (seen) => seen === '1');
  });
});
