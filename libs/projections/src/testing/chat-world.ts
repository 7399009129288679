import { randomUUID } from 'node:crypto';
import {
  chatDuties,
  CHATS_PER_KARMA,
  chatStream,
  decideChatCommand,
  decideMember,
  encodeChatEvent,
  encodeMemberEvent,
  evolveChat,
  evolveMember,
  memberStream,
  newRelationship,
  type ChatCommand,
  type ChatEvent,
  type ChatState,
  type LedgerCommand,
  type LedgerEvent,
  type MemberCommand,
  type MemberEvent,
} from '@app/domain';
import type { EventStore } from '@app/event-store';
import { seededRandom } from './random-commands.js';
import { TestJournal } from './test-journal.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** A payment that was held. */
export interface Held {
  readonly chatId: string;
  readonly initiatorId: string;
  readonly hostId: string;
  readonly at: number;
}

/**
 * A few members who chat at random, through the real deciders and the real ledger. The money may follow an event much
 * later, as after a crash.
 */
export class ChatWorld {
  readonly journal: TestJournal;
  readonly members: readonly string[];
  readonly held: Held[] = [];
  readonly chats = new Map<string, ChatState>();
  readonly chatEvents: ChatEvent[] = [];
  readonly ledgerEvents: LedgerEvent[] = [];
  private readonly memberEvents: MemberEvent[] = [];
  /** Keys of duties that the ledger has fulfilled. */
  readonly done = new Set<string>();
  private readonly revisions = new Map<string, number>();
  private readonly random: () => number;
  private messages = 0;

  constructor(
    private readonly store: EventStore,
    { seed, members }: { readonly seed: number; readonly members: number },
  ) {
    this.journal = new TestJournal(store);
    this.random = seededRandom(seed);
    this.members = Array.from({ length: members }, (_, index) => `member-${index}`);
  }

  get now(): number {
    return this.journal.now;
  }

  async start(): Promise<void> {
    for (const userId of this.members) {
      await this.pay({ type: 'GrantNova', userId, adminId: 'admin', amount: 5_000_000_00n });
    }
  }

  /** Makes something random happen. */
  async step(): Promise<void> {
    this.journal.now += this.below(20) * SECOND;
    const dice = this.below(100);
    if (dice < 8) await this.request();
    else if (dice < 10) await this.abandonOne();
    else if (dice < 72) await this.talk();
    else if (dice < 84) await this.settleOne();
    else if (dice < 90) await this.relate();
    else if (dice < 94) await this.gift();
    else if (dice < 96) await this.mintKarma();
    else if (dice < 98) this.journal.now += this.below(5) * MINUTE;
    else await this.sweep(this.below(12) === 0 ? 8 * DAY : this.below(60) * MINUTE);
  }

  /** Takes a chat from its request to a thread; the ledger has yet to follow it. */
  async makeThread(initiatorId: string, hostId: string): Promise<string> {
    const chatId = await this.makeSuccess(initiatorId, hostId);
    for (const memberId of [initiatorId, hostId]) await this.rate(chatId, memberId);
    return chatId;
  }

  /** Makes a successful chat that has yet to be rated. */
  async makeSuccess(initiatorId: string, hostId: string): Promise<string> {
    const chatId = `c${this.held.length}`;
    const price = 125_000n;
    if (!(await this.pay({ type: 'HoldChatPayment', chatId, initiatorId, hostId, amount: price }))) {
      throw new Error(`${initiatorId} cannot pay ${hostId}`);
    }
    this.held.push({ chatId, initiatorId, hostId, at: this.now });
    await this.act(chatId, { type: 'RequestChat', chatId, initiatorId, hostId, price });
    await this.act(chatId, { type: 'AcceptChat', memberId: hostId });
    while (this.chats.get(chatId)?.status === 'active') {
      for (const memberId of [initiatorId, hostId]) await this.say(chatId, memberId);
    }
    return chatId;
  }

  /** Rates high enough for a thread, if the other side does too. */
  async rate(chatId: string, memberId: string): Promise<void> {
    await this.act(chatId, { type: 'RateChat', memberId, rating: 90, follow: false });
  }

  /** Fulfils the duties of every chat. */
  async settle(): Promise<void> {
    for (const { chatId } of this.held) await this.settleChat(chatId);
    await this.mintKarma();
  }

  /** Ends a member's open chats and closes the account. */
  async close(userId: string): Promise<void> {
    await this.pay({ type: 'CloseAccount', userId });
    for (const { chatId, initiatorId, hostId } of this.held) {
      if (initiatorId !== userId && hostId !== userId) continue;
      if (!this.chats.has(chatId)) await this.act(chatId, { type: 'AbandonRequest', chatId, initiatorId, hostId });
      await this.act(chatId, { type: 'TerminateChat', memberId: userId, cause: 'account-closing' });
    }
    await this.sweep(8 * DAY);
    for (const { chatId, initiatorId, hostId } of this.held) {
      // Duties towards a closed account stay unfulfilled.
      if (initiatorId === userId || hostId === userId) await this.settleChat(chatId, ['thread']);
    }
    await this.pay({ type: 'FinishClosingAccount', userId });
    if (this.journal.state.closure(userId) !== 'closed') throw new Error(`${userId} could not be closed`);
  }

  async pay(...commands: readonly LedgerCommand[]): Promise<boolean> {
    const events = await this.journal.execute(...commands);
    this.ledgerEvents.push(...events);
    return events.length > 0;
  }

  /** Executes one command on one chat; a refused one changes nothing. */
  async act(chatId: string, command: ChatCommand): Promise<void> {
    let state = this.chats.get(chatId);
    const decision = decideChatCommand(state, command, this.now);
    if ('rejection' in decision || decision.events.length === 0) return;
    for (const event of decision.events) state = evolveChat(state, event);
    if (state) this.chats.set(chatId, state);
    this.chatEvents.push(...decision.events);
    await this.append(chatStream(chatId), decision.events, encodeChatEvent);
  }

  async relateTo(memberId: string, otherId: string, command: MemberCommand): Promise<void> {
    const past = this.memberEvents.filter((event) => event.memberId === memberId);
    const state = past.reduce(evolveMember, newRelationship({ memberId, otherId }));
    const decision = decideMember(state, command, this.now);
    if ('rejection' in decision || decision.events.length === 0) return;
    this.memberEvents.push(...decision.events);
    await this.append(memberStream(memberId), decision.events, encodeMemberEvent);
  }

  /** Whom a member follows and whom they block. */
  relationsOf(memberId: string): { readonly follows: ReadonlySet<string>; readonly blocks: ReadonlySet<string> } {
    const [follows, blocks] = [new Set<string>(), new Set<string>()];
    for (const { type, memberId: doer, otherId } of this.memberEvents) {
      if (doer !== memberId) continue;
      if (type === 'MemberFollowed') follows.add(otherId);
      if (type === 'MemberUnfollowed') follows.delete(otherId);
      if (type === 'MemberBlocked') blocks.add(otherId);
      if (type === 'MemberUnblocked') blocks.delete(otherId);
    }
    return { follows, blocks };
  }

  /** Completed chats of each member, in order. */
  completedOf(userId: string): string[] {
    return this.chatEvents
      .filter((event) => event.type === 'ChatCompleted' && (event.hostId === userId || event.initiatorId === userId))
      .map(({ chatId }) => chatId);
  }

  private async append<E extends { readonly type: string }>(
    stream: string,
    events: readonly E[],
    encode: (event: E) => string,
  ): Promise<void> {
    const recorded = events.map((event) => ({
      id: randomUUID(),
      type: event.type,
      data: encode(event),
      metadata: '{}',
    }));
    const { revision } = await this.store.append(stream, recorded, this.revisions.get(stream) ?? 'none');
    this.revisions.set(stream, revision);
  }

  private async request(): Promise<void> {
    const [initiatorId, hostId] = [this.member(), this.member()];
    const chatId = `c${this.held.length}`;
    const price = BigInt(1 + this.below(200_000));
    if (!(await this.pay({ type: 'HoldChatPayment', chatId, initiatorId, hostId, amount: price }))) return;
    this.held.push({ chatId, initiatorId, hostId, at: this.now });
    if (this.below(12) > 0) await this.act(chatId, { type: 'RequestChat', chatId, initiatorId, hostId, price });
  }

  private async abandonOne(): Promise<void> {
    const alone = this.held.find(({ chatId }) => !this.chats.has(chatId));
    if (!alone) return;
    const { chatId, initiatorId, hostId } = alone;
    await this.act(chatId, { type: 'AbandonRequest', chatId, initiatorId, hostId });
  }

  /** Makes something happen in one of the latest chats. */
  private async talk(): Promise<void> {
    const recent = [...this.chats.values()].slice(-8).filter(({ status }) => {
      return status === 'requested' || status === 'active' || status === 'successful';
    });
    const chat = recent[this.below(recent.length)];
    if (!chat) return;
    const { chatId, initiatorId, hostId, status } = chat;
    const memberId = this.below(2) === 0 ? initiatorId : hostId;
    if (status === 'requested') {
      const accepts = this.below(8) > 0;
      await this.act(chatId, { type: accepts ? 'AcceptChat' : 'DeclineChat', memberId: hostId });
      return;
    }
    if (status === 'successful') {
      const rating = this.below(3) === 0 ? 1 + this.below(100) : 75 + this.below(26);
      await this.act(chatId, { type: 'RateChat', memberId, rating, follow: false });
      return;
    }
    const dice = this.below(60);
    if (dice === 0) await this.act(chatId, { type: 'TerminateChat', memberId, cause: 'exit' });
    else if (dice === 1) await this.act(chatId, { type: 'NudgeChat', memberId });
    else if (dice === 2) await this.act(chatId, { type: 'VerifyChat', memberId, isSuccessful: false });
    else await this.say(chatId, memberId);
  }

  private async say(chatId: string, memberId: string): Promise<void> {
    const characters = 20 + this.below(60);
    const nonBlankCharacters = characters - this.below(10);
    const messageId = `m${this.messages++}`;
    await this.act(chatId, { type: 'SendChatMessage', memberId, messageId, characters, nonBlankCharacters });
  }

  private async settleOne(): Promise<void> {
    const owing = this.held.filter(({ chatId }) => this.dutiesOf(chatId).length > 0);
    const chat = owing[this.below(owing.length)];
    if (chat) await this.settleChat(chat.chatId);
  }

  /** What the ledger has yet to do for a chat. */
  dutiesOf(chatId: string): ReturnType<typeof chatDuties> {
    const state = this.chats.get(chatId);
    return state ? chatDuties(state).filter(({ key }) => !this.done.has(key)) : [];
  }

  private async settleChat(chatId: string, except: readonly string[] = []): Promise<void> {
    for (const { key, command } of this.dutiesOf(chatId)) {
      if (except.some((name) => key.endsWith(`:${name}`))) continue;
      if (await this.pay(command)) this.done.add(key);
    }
  }

  private async mintKarma(): Promise<void> {
    for (const userId of this.members) {
      const count = this.completedOf(userId).length;
      for (let completedChats = CHATS_PER_KARMA; completedChats <= count; completedChats += CHATS_PER_KARMA) {
        const key = `karma:${userId}:${completedChats}`;
        if (!this.done.has(key) && (await this.pay({ type: 'MintKarma', userId, completedChats }))) this.done.add(key);
      }
    }
  }

  private async sweep(ms: number): Promise<void> {
    this.journal.now += ms;
    for (const chatId of this.chats.keys()) await this.act(chatId, { type: 'EnforceDeadlines' });
  }

  private async relate(): Promise<void> {
    const type = (['Follow', 'Follow', 'Unfollow', 'Block', 'Unblock'] as const)[this.below(5)] ?? 'Follow';
    await this.relateTo(this.member(), this.member(), { type });
  }

  private async gift(): Promise<void> {
    const [senderId, recipientId] = [this.member(), this.member()];
    await this.pay({ type: 'SendGift', senderId, recipientId, amount: 100_000n + BigInt(this.below(9_999)) });
    if (this.below(3) === 0) await this.pay({ type: 'CollectRewards', userId: this.member() });
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  private member(): string {
    return this.members[this.below(this.members.length)] ?? '';
  }
}
