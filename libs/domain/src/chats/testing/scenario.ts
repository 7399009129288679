import { Money } from '../../money/money.js';
import type { ChatCommand } from '../commands.js';
import { chatDuties, type ChatDuty } from '../duties.js';
import type { ChatEventType } from '../events.js';
import type { ChatRejectionCode } from '../rejections.js';
import type { ChatState } from '../state.js';
import { ChatRun } from './chat-run.js';

/** A command, or time that passes. */
export type Step = ChatCommand | { readonly type: 'Later'; readonly ms: number };

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Ann pays, Hal is the host, of chat `c1`. */
const PAIR = { chatId: 'c1', initiatorId: 'ann', hostId: 'hal' } as const;
const nova = (text: string): bigint => Money.parse(text.replaceAll(',', '')).minor;

export const requested = (price = '1,250'): Step => ({ type: 'RequestChat', ...PAIR, price: nova(price) });
export const abandoned: Step = { type: 'AbandonRequest', ...PAIR };
export const accepted = (memberId = 'hal'): Step => ({ type: 'AcceptChat', memberId });
export const declined = (memberId = 'hal'): Step => ({ type: 'DeclineChat', memberId });
export const exit = (memberId: string): Step => ({ type: 'TerminateChat', memberId, cause: 'exit' });
export const leaves = (memberId: string): Step => ({ type: 'TerminateChat', memberId, cause: 'account-closing' });
export const rated = (memberId: string, rating: number, follow = false): Step => ({
  type: 'RateChat',
  memberId,
  rating,
  follow,
});
export const nudged = (memberId: string): Step => ({ type: 'NudgeChat', memberId });
export const verified = (memberId: string, isSuccessful: boolean): Step => ({
  type: 'VerifyChat',
  memberId,
  isSuccessful,
});
export const swept: Step = { type: 'EnforceDeadlines' };
export const later = (ms: number): Step => ({ type: 'Later', ms });

let messages = 0;
export function said(memberId: string, characters = 30, messageId = `m${(messages += 1)}`): Step {
  return { type: 'SendChatMessage', memberId, messageId, characters, nonBlankCharacters: characters };
}

/** Exchanges, with a number of characters per message. */
export const exchanges = (count: number, characters = 30): Step[] =>
  Array.from({ length: count }, () => [said('ann', characters), said('hal', characters)]).flat();

/** Five exchanges of 60 characters: exactly success. */
export const succeeded = (price?: string): Step[] => [requested(price), accepted(), ...exchanges(5)];

const show = ({ key, command }: ChatDuty): string => {
  const { type, ...facts } = command;
  const told = Object.entries(facts).filter(([name]) => name !== 'chatId');
  return [key, type, ...told.map(([name, value]) => `${name}=${String(value)}`)].join(' ');
};

class Scenario {
  private readonly run = new ChatRun();

  constructor(private readonly steps: readonly Step[]) {}

  when(...steps: readonly Step[]): Told {
    for (const step of this.steps) {
      const rejection = this.take(step).rejection;
      if (rejection) throw new Error(`the scenario's own ${step.type} is refused: ${rejection.code}`);
    }
    let told: Told | undefined;
    for (const step of steps) {
      const { types, rejection } = this.take(step);
      told = new Told(types, rejection?.code, this.run.state, rejection?.notBefore);
    }
    if (!told) throw new Error('nothing happens in this scenario');
    return told;
  }

  private take(step: Step) {
    if (step.type === 'Later') {
      this.run.now += step.ms;
      return { types: [], rejection: undefined };
    }
    const decision = this.run.execute(step);
    if ('rejection' in decision) return { types: [], rejection: decision.rejection };
    return { types: decision.events.map(({ type }) => type), rejection: undefined };
  }
}

class Told {
  constructor(
    private readonly types: readonly ChatEventType[],
    private readonly code: ChatRejectionCode | undefined,
    private readonly state: ChatState | undefined,
    private readonly notBefore: number | undefined,
  ) {}

  writes(...types: readonly ChatEventType[]): this {
    expect(this.code).toBeUndefined();
    expect(this.types).toEqual(types);
    return this;
  }

  refused(code: ChatRejectionCode, notBefore?: number): this {
    expect(this.code).toBe(code);
    if (notBefore !== undefined) expect(this.notBefore).toBe(notBefore);
    return this;
  }

  is(part: Partial<ChatState>): this {
    expect(this.state).toMatchObject(part);
    return this;
  }

  /** The duties of the ledger: `key Command field=value …`, in order. */
  owes(...duties: readonly string[]): this {
    expect(this.state && chatDuties(this.state).map(show)).toEqual(duties);
    return this;
  }
}

export const given = (...steps: readonly (Step | readonly Step[])[]): Scenario => new Scenario(steps.flat());
