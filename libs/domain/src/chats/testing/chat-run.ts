import { decodeChatEvent, encodeChatEvent } from '../codec.js';
import type { ChatCommand } from '../commands.js';
import { decideChatCommand, type ChatDecision } from '../decide.js';
import type { ChatEvent } from '../events.js';
import { evolveChat } from '../evolve.js';
import type { ChatState } from '../state.js';

/** Noon UTC of an ordinary day. */
export const CHAT_START_MS = Date.UTC(2026, 0, 15, 12);

/** One chat without a store: it decides, writes each event's bytes, reads them back, and evolves. */
export class ChatRun {
  state: ChatState | undefined;
  readonly events: ChatEvent[] = [];
  now = CHAT_START_MS;

  execute(command: ChatCommand): ChatDecision {
    const decision = decideChatCommand(this.state, command, this.now);
    if ('rejection' in decision) return decision;
    for (const event of decision.events) {
      const stored = decodeChatEvent(event.type, encodeChatEvent(event));
      this.state = evolveChat(this.state, stored);
      this.events.push(stored);
    }
    return decision;
  }
}
