import { Inject, Injectable } from '@nestjs/common';
import { type ChatCommand, type ChatSide, countCharacters, countNonBlank } from '@app/domain';
import type { Ledger } from '@app/ledger';
import type { Pool } from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';
import { LEDGER } from '../../platform/ledger/tokens.js';
import { chatPrice, ChatSettingsStore } from '../../profiles/chat-settings.js';
import { chatIdFor } from '../chat-id.js';
import type { ChatParties } from '../chat-pairs.js';
import { ChatReviews } from '../chat-reviews.js';
import { ChatSettlement } from '../chat-settlement.js';
import { ChatStore } from '../chat-store.js';
import { ChatTexts } from '../chat-texts.js';
import { DEMO_CONVERSATIONS, DEMO_PRICES, type DemoConversation, type DemoRating } from './demo-conversations.js';

interface DemoChat extends ChatParties {
  readonly chatId: string;
}

/** A few finished chats between the demo members, so that histories, ratings and threads have something to show. */
@Injectable()
export class DemoChats {
  constructor(
    @InjectPool() private readonly pool: Pool,
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly settings: ChatSettingsStore,
    private readonly chats: ChatStore,
    private readonly texts: ChatTexts,
    private readonly reviews: ChatReviews,
    private readonly settlement: ChatSettlement,
  ) {}

  /** Makes those that are not there yet; what a crash left half-way is finished, every step being done once. */
  async seed(log: (line: string) => void): Promise<void> {
    const ids = await this.memberIds();
    for (const [index, conversation] of DEMO_CONVERSATIONS.entries()) {
      const [initiatorId, hostId] = [ids.get(conversation.initiator), ids.get(conversation.host)];
      if (initiatorId === undefined || hostId === undefined) continue;
      const chat = { chatId: chatIdFor(initiatorId, `demo:${index}`), initiatorId, hostId };
      const { state } = await this.chats.current(chat.chatId);
      if (state?.status === 'completed') continue;
      if (index === 0 && !state) await this.setPrices(ids);
      if (!(await this.act(chat, conversation))) log(`  left out: a demo chat of ${conversation.initiator}`);
    }
  }

  private async memberIds(): Promise<Map<string, string>> {
    const emails = DEMO_CONVERSATIONS.flatMap(({ initiator, host }) => [initiator, host]);
    const { rows } = await this.pool.query<{ id: string; email_key: string }>(
      'select id, email_key from accounts where email_key = any($1) and closed_at is null',
      [[...emails, ...DEMO_PRICES.map(([email]) => email)]],
    );
    return new Map(rows.map(({ id, email_key }) => [email_key, id]));
  }

  private async setPrices(ids: ReadonlyMap<string, string>): Promise<void> {
    for (const [email, dollars] of DEMO_PRICES) {
      const id = ids.get(email);
      if (id !== undefined) await this.settings.change(id, { minimumChatPriceCents: dollars * 100 });
    }
  }

  /** @returns false: the members cannot have this chat any more */
  private async act(chat: DemoChat, { lines, initiatorRates, hostRates }: DemoConversation): Promise<boolean> {
    if (!(await this.open(chat))) return false;
    for (const [index, [side, text]] of lines.entries()) await this.say(chat, { side, text, index });
    await this.rate(chat, 'initiator', initiatorRates);
    await this.rate(chat, 'host', hostRates);
    const record = await this.chats.current(chat.chatId);
    await this.settlement.settleOrLeave(record);
    return record.state?.status === 'completed';
  }

  private async open({ chatId, initiatorId, hostId }: DemoChat): Promise<boolean> {
    const { state } = await this.chats.current(chatId);
    if (!state) {
      const price = chatPrice(await this.settings.of(hostId));
      const held = await this.ledger.execute({
        command: { type: 'HoldChatPayment', chatId, initiatorId, hostId, amount: price },
        actor: `member:${initiatorId}`,
        cause: 'demo',
        key: { scope: 'fact', value: `chat:${chatId}:hold` },
      });
      if (held.status !== 'accepted') return false;
      await this.take(chatId, { type: 'RequestChat', chatId, initiatorId, hostId, price }, initiatorId);
    }
    await this.take(chatId, { type: 'AcceptChat', memberId: hostId }, hostId);
    return true;
  }

  private async say(
    chat: DemoChat,
    { side, text, index }: { readonly side: ChatSide; readonly text: string; readonly index: number },
  ): Promise<void> {
    const { chatId } = chat;
    const memberId = idOf(chat, side);
    const createdAt = new Date(this.chats.now());
    const row = await this.texts.write({
      chatId,
      senderId: memberId,
      clientMessageId: `demo-${index}`,
      text,
      createdAt,
    });
    const counted = { characters: countCharacters(row.text), nonBlankCharacters: countNonBlank(row.text) };
    await this.take(chatId, { type: 'SendChatMessage', memberId, messageId: row.id, ...counted }, memberId);
  }

  private async rate(chat: DemoChat, side: ChatSide, { rating, comment, explanation }: DemoRating): Promise<void> {
    const [{ chatId }, raterId] = [chat, idOf(chat, side)];
    await this.reviews.write({ chatId, raterId, comment, explanation: explanation ?? null });
    await this.take(chatId, { type: 'RateChat', memberId: raterId, rating, follow: false }, raterId);
  }

  /** What was done before is refused, which is as well. */
  private async take(chatId: string, command: ChatCommand, memberId: string): Promise<void> {
    await this.chats.execute(chatId, command, { actor: `member:${memberId}` });
  }
}

const idOf = ({ initiatorId, hostId }: ChatParties, side: ChatSide): string => (side === 'host' ? hostId : initiatorId);
