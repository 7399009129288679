import type { ChatCommand } from './commands.js';
import {
  ACCEPT_WITHIN_MS,
  CHAT_RATING_MAX,
  CHAT_RATING_MIN,
  FIRST_HOST_MESSAGE_WITHIN_MS,
  MESSAGE_CHARACTERS_MAX,
  MESSAGES_PER_CHAT_MAX,
  NUDGE_EVERY_MS,
  RATE_WITHIN_MS,
  THREAD_RATING_MIN,
} from './constants.js';
import { nextDeadline } from './deadlines.js';
import type { ChatEvent, ChatSide, TerminationCause } from './events.js';
import { evolveChat } from './evolve.js';
import { dueOnBreakingOff, isSuccess } from './progress.js';
import type { ChatRejection, ChatRejectionCode } from './rejections.js';
import { otherSide, sideOf, type ChatState } from './state.js';

/** Events in order (none if nothing was due), or a refusal that changes nothing. */
export type ChatDecision = { readonly events: readonly ChatEvent[] } | { readonly rejection: ChatRejection };

type Command<T extends ChatCommand['type']> = Extract<ChatCommand, { type: T }>;
type Asked = Exclude<ChatCommand, Command<'RequestChat' | 'AbandonRequest' | 'EnforceDeadlines'>>;

/**
 * Decides one command on one chat, changing nothing.
 * @param nowMs journal time; an event is never stamped earlier than the one before it
 */
export function decideChatCommand(state: ChatState | undefined, command: ChatCommand, nowMs: number): ChatDecision {
  switch (command.type) {
    case 'RequestChat':
    case 'AbandonRequest':
      return begin(state, command, nowMs);
    case 'EnforceDeadlines':
      return state ? enforceDeadlines(state, nowMs) : refuse('CHAT_NOT_FOUND', NOT_FOUND);
    case 'AcceptChat':
    case 'DeclineChat':
    case 'SendChatMessage':
    case 'TerminateChat':
    case 'VerifyChat':
    case 'NudgeChat':
    case 'RateChat': {
      const side = state && sideOf(state, command.memberId);
      if (!state || !side) return refuse('CHAT_NOT_FOUND', NOT_FOUND);
      return decideAsked({ state, side, at: Math.max(nowMs, state.at) }, command);
    }
  }
}

const NOT_FOUND = "This chat may have been deleted or you don't have access to it.";

const refuse = (code: ChatRejectionCode, message: string, notBefore?: number): ChatDecision => ({
  rejection: { code, message, ...(notBefore !== undefined && { notBefore }) },
});

interface Case {
  readonly state: ChatState;
  readonly side: ChatSide;
  readonly at: number;
}

function decideAsked(asked: Case, command: Asked): ChatDecision {
  switch (command.type) {
    case 'AcceptChat':
      return answerRequest(asked, 'ChatAccepted');
    case 'DeclineChat':
      return answerRequest(asked, 'ChatDeclined');
    case 'SendChatMessage':
      return sendMessage(asked, command);
    case 'TerminateChat':
      return terminate(asked, command.cause);
    case 'VerifyChat':
      return verify(asked, command.isSuccessful);
    case 'NudgeChat':
      return nudge(asked);
    case 'RateChat':
      return rate(asked, command);
  }
}

function begin(
  state: ChatState | undefined,
  command: Command<'RequestChat' | 'AbandonRequest'>,
  at: number,
): ChatDecision {
  const { chatId, initiatorId, hostId } = command;
  if (state) return refuse('CHAT_EXISTS', 'This chat already exists.');
  if (initiatorId === hostId) return refuse('SELF_CHAT', 'You cannot start a paid chat with yourself.');
  const facts = { chatId, initiatorId, hostId, at };
  if (command.type === 'AbandonRequest') return { events: [{ type: 'ChatRequestAbandoned', ...facts }] };
  return { events: [{ type: 'ChatRequested', ...facts, price: command.price, acceptBy: at + ACCEPT_WITHIN_MS }] };
}

const factsOf = ({ chatId, initiatorId, hostId }: ChatState, at: number) => ({ chatId, initiatorId, hostId, at });

function answerRequest({ state, side, at }: Case, type: 'ChatAccepted' | 'ChatDeclined'): ChatDecision {
  if (side !== 'host') return refuse('NOT_HOST', 'Only the host can answer a chat request.');
  if (state.status === 'expired' || (state.status === 'requested' && at >= state.acceptBy)) {
    return refuse('CHAT_REQUEST_EXPIRED', 'This chat request has expired. The initiator gets the Nova back.');
  }
  if (state.status !== 'requested') return refuse('CHAT_NOT_REQUESTED', 'This chat request has already been answered.');
  if (type === 'ChatDeclined') return { events: [{ type, ...factsOf(state, at) }] };
  return { events: [{ type, ...factsOf(state, at), verifyBy: at + FIRST_HOST_MESSAGE_WITHIN_MS }] };
}

function sendMessage({ state, side, at }: Case, command: Command<'SendChatMessage'>): ChatDecision {
  const { memberId, messageId, characters, nonBlankCharacters } = command;
  if (state.messageIds.has(messageId)) return { events: [] };
  if (state.status === 'requested') return refuse('CHAT_NOT_ACTIVE', 'The host has not accepted this chat yet.');
  if (state.status !== 'active' || isOverdue(state, at)) return refuse('CHAT_ENDED', 'This chat has ended.');
  if (nonBlankCharacters < 1) return refuse('INVALID_MESSAGE', 'A message cannot be blank.');
  if (characters > MESSAGE_CHARACTERS_MAX) {
    return refuse('INVALID_MESSAGE', 'A message can have 2,000 characters at most.');
  }
  if (state.messageIds.size >= MESSAGES_PER_CHAT_MAX) {
    return refuse('CHAT_FULL', 'This chat has reached its limit of 5,000 messages.');
  }
  const { counts, awaitsHost } = state;
  const after = {
    exchanges: counts.exchanges + (side === 'host' && awaitsHost ? 1 : 0),
    totalCharacters: counts.totalCharacters + characters,
    hostCharacters: counts.hostCharacters + (side === 'host' ? nonBlankCharacters : 0),
  };
  const facts = factsOf(state, at);
  const sent: ChatEvent = {
    type: 'ChatMessageSent',
    ...facts,
    messageId,
    senderId: memberId,
    side,
    characters,
    ...after,
  };
  if (!isSuccess(after)) return { events: [sent] };
  return { events: [sent, { type: 'ChatSucceeded', ...facts, ...after, rateBy: at + RATE_WITHIN_MS }] };
}

function terminate({ state, side, at }: Case, cause: 'exit' | 'account-closing'): ChatDecision {
  // A passed deadline has ended the chat, even if no event records it yet.
  if (state.status === 'active' && isOverdue(state, at)) return enforceDeadlines(state, at);
  if (state.status === 'active' || state.status === 'requested') return brokenOff(state, { by: side, cause, at });
  if (cause === 'account-closing') return { events: [] };
  return refuse('CHAT_ENDED', 'This chat has ended.');
}

function brokenOff(
  state: ChatState,
  { by, cause, at }: { readonly by: ChatSide; readonly cause: TerminationCause; readonly at: number },
): ChatDecision {
  const due = by === 'host' ? 0n : dueOnBreakingOff(state.price, state.counts);
  return { events: [{ type: 'ChatTerminated', ...factsOf(state, at), by, cause, due, ...state.counts }] };
}

function verify({ state, side, at }: Case, isSuccessful: boolean): ChatDecision {
  if (state.status === 'requested' || state.status === 'declined' || state.status === 'expired') {
    return refuse('CHAT_NOT_ACTIVE', 'There is nothing to verify: this chat never began.');
  }
  if (isSuccessful !== isSuccess(state.counts)) {
    return refuse(
      'VERIFICATION_CONTRADICTED',
      `The messages show otherwise: this chat ${isSuccessful ? 'is not' : 'is'} successful.`,
    );
  }
  // A truthful statement changes at most once, from no to yes, so repeating it cannot grow the stream.
  if (state.verified[side] === isSuccessful) return { events: [] };
  return { events: [{ type: 'ChatVerified', ...factsOf(state, at), side, isSuccessful }] };
}

function nudge({ state, side, at }: Case): ChatDecision {
  if (state.status !== 'requested' && state.status !== 'active' && state.status !== 'successful') {
    return refuse('CHAT_ENDED', 'This chat has ended.');
  }
  const notBefore = (state.nudgedAt[side] ?? -Infinity) + NUDGE_EVERY_MS;
  if (at < notBefore) return refuse('NUDGED_ALREADY', 'You can nudge once a minute.', notBefore);
  return { events: [{ type: 'ChatNudged', ...factsOf(state, at), side }] };
}

function rate({ state, side, at }: Case, { memberId, rating, follow }: Command<'RateChat'>): ChatDecision {
  if (state.ratings[side] !== undefined) return refuse('ALREADY_RATED', 'You have already rated this chat.');
  if (state.status === 'completed' || (state.status === 'successful' && isOverdue(state, at))) {
    return refuse('RATING_CLOSED', 'This chat can no longer be rated.');
  }
  if (state.status !== 'successful') {
    return refuse('CHAT_NOT_SUCCESSFUL', 'Only a successful chat can be rated.');
  }
  if (!Number.isInteger(rating) || rating < CHAT_RATING_MIN || rating > CHAT_RATING_MAX) {
    return refuse('INVALID_RATING', 'A rating is a whole number from 1 to 100.');
  }
  const ratedId = side === 'host' ? state.initiatorId : state.hostId;
  const rated: ChatEvent = {
    type: 'ChatRated',
    ...factsOf(state, at),
    side,
    raterId: memberId,
    ratedId,
    rating,
    follow,
  };
  const after = evolveChat(state, rated);
  if (after.ratings[otherSide(side)] === undefined) return { events: [rated] };
  return { events: [rated, completed(after, 'both-rated', at)] };
}

function completed(state: ChatState, reason: 'both-rated' | 'ratings-closed', at: number): ChatEvent {
  const { initiator = null, host = null } = state.ratings;
  const thread = (initiator ?? 0) >= THREAD_RATING_MIN && (host ?? 0) >= THREAD_RATING_MIN;
  const ratings = { initiatorRating: initiator, hostRating: host };
  return { type: 'ChatCompleted', ...factsOf(state, at), reason, ...ratings, thread };
}

function isOverdue(state: ChatState, at: number): boolean {
  const deadline = nextDeadline(state);
  return deadline !== undefined && at >= deadline;
}

function enforceDeadlines(state: ChatState, nowMs: number): ChatDecision {
  const at = Math.max(nowMs, state.at);
  if (!isOverdue(state, at)) return { events: [] };
  switch (state.status) {
    case 'requested':
      return { events: [{ type: 'ChatRequestExpired', ...factsOf(state, at) }] };
    case 'active':
      if (!state.hostHasWritten) return brokenOff(state, { by: 'host', cause: 'no-first-message', at });
      // The side that did not write last owes the reply.
      return brokenOff(state, { by: otherSide(state.lastSide ?? 'initiator'), cause: 'idle', at });
    case 'successful':
      return { events: [completed(state, 'ratings-closed', at)] };
    case 'completed':
    case 'declined':
    case 'expired':
    case 'terminated':
      return { events: [] };
  }
}
