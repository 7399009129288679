import { invariant } from '../ledger/invariant.js';
import type {
  ChatAccepted,
  ChatCompleted,
  ChatEvent,
  ChatMessageSent,
  ChatRated,
  ChatRequestAbandoned,
  ChatRequested,
} from './events.js';
import { MessageIds } from './message-ids.js';
import { dueOnBreakingOff, isSuccess } from './progress.js';
import type { ChatState, ChatStatus } from './state.js';

const NOTHING_COUNTED = { exchanges: 0, totalCharacters: 0, hostCharacters: 0 };

/**
 * The next state of a chat. The assertions stay on in production: an event that cannot follow is a bug or a tampered store.
 * @throws LedgerInvariantError the event cannot follow this state
 */
export function evolveChat(state: ChatState | undefined, event: ChatEvent): ChatState {
  if (event.type === 'ChatRequested' || event.type === 'ChatRequestAbandoned') {
    invariant(state === undefined, () => `chat ${event.chatId} begins twice`);
    return begin(event);
  }
  invariant(state !== undefined, () => `${event.type} before chat ${event.chatId} began`);
  invariant(state.chatId === event.chatId, () => `an event of ${event.chatId} in the stream of ${state.chatId}`);
  invariant(state.initiatorId === event.initiatorId && state.hostId === event.hostId, 'the two members never change');
  invariant(event.at >= state.at, 'the time of a chat never runs backwards');
  return { ...next(state, event), at: event.at };
}

type Later = Exclude<ChatEvent, ChatRequested | ChatRequestAbandoned>;

function next(state: ChatState, event: Later): ChatState {
  switch (event.type) {
    case 'ChatAccepted':
      return accept(expect(state, event, 'requested'), event);
    case 'ChatDeclined':
      return { ...expect(state, event, 'requested'), status: 'declined' };
    case 'ChatRequestExpired':
      return { ...expect(state, event, 'requested'), status: 'expired' };
    case 'ChatMessageSent':
      return addMessage(expect(state, event, 'active'), event);
    case 'ChatSucceeded':
      invariant(isSuccess(state.counts), 'a chat succeeds by its counts alone');
      return { ...expect(state, event, 'active'), status: 'successful', rateBy: event.rateBy };
    case 'ChatTerminated': {
      const { by, cause, due } = event;
      const most = by === 'host' ? 0n : dueOnBreakingOff(state.price, state.counts);
      invariant(due === most, () => `breaking off costs ${most}, not ${due}`);
      return { ...expect(state, event, 'requested', 'active'), status: 'terminated', terminated: { by, cause, due } };
    }
    case 'ChatVerified':
      return { ...state, verified: { ...state.verified, [event.side]: event.isSuccessful } };
    case 'ChatNudged':
      return {
        ...expect(state, event, 'requested', 'active', 'successful'),
        nudgedAt: { ...state.nudgedAt, [event.side]: event.at },
      };
    case 'ChatRated':
      return rate(expect(state, event, 'successful'), event);
    case 'ChatCompleted':
      return complete(expect(state, event, 'successful'), event);
  }
}

function expect(state: ChatState, event: ChatEvent, ...statuses: readonly ChatStatus[]): ChatState {
  invariant(statuses.includes(state.status), () => `${event.type} cannot follow in a chat that is ${state.status}`);
  return state;
}

function begin(event: ChatRequested | ChatRequestAbandoned): ChatState {
  const { chatId, initiatorId, hostId, at } = event;
  const isRequest = event.type === 'ChatRequested';
  return {
    chatId,
    initiatorId,
    hostId,
    price: isRequest ? event.price : 0n,
    status: isRequest ? 'requested' : 'expired',
    abandoned: !isRequest,
    at,
    requestedAt: at,
    acceptBy: isRequest ? event.acceptBy : at,
    acceptedAt: undefined,
    verifyBy: undefined,
    hostHasWritten: false,
    counts: NOTHING_COUNTED,
    awaitsHost: false,
    lastMessageAt: undefined,
    lastSide: undefined,
    messageIds: MessageIds.NONE,
    nudgedAt: {},
    verified: {},
    ratings: {},
    rateBy: undefined,
    terminated: undefined,
    thread: false,
  };
}

const accept = (state: ChatState, { at, verifyBy }: ChatAccepted): ChatState => ({
  ...state,
  status: 'active',
  acceptedAt: at,
  verifyBy,
});

function addMessage(state: ChatState, event: ChatMessageSent): ChatState {
  const { messageId, side, characters, exchanges, totalCharacters, hostCharacters, at } = event;
  const { counts, awaitsHost } = state;
  const makesExchange = side === 'host' && awaitsHost;
  invariant(!state.messageIds.has(messageId), () => `message ${messageId} is sent twice`);
  invariant(exchanges === counts.exchanges + (makesExchange ? 1 : 0), 'an exchange is miscounted');
  invariant(totalCharacters === counts.totalCharacters + characters, 'characters are miscounted');
  invariant(hostCharacters >= counts.hostCharacters, 'characters are never taken away');
  return {
    ...state,
    counts: { exchanges, totalCharacters, hostCharacters },
    awaitsHost: side === 'initiator',
    hostHasWritten: state.hostHasWritten || side === 'host',
    lastMessageAt: at,
    lastSide: side,
    messageIds: state.messageIds.with(messageId),
  };
}

function rate(state: ChatState, { side, raterId, rating }: ChatRated): ChatState {
  invariant(state.ratings[side] === undefined, () => `the ${side} rates twice`);
  invariant(raterId === (side === 'host' ? state.hostId : state.initiatorId), 'only the two members rate');
  return { ...state, ratings: { ...state.ratings, [side]: rating } };
}

function complete(state: ChatState, { initiatorRating, hostRating, thread }: ChatCompleted): ChatState {
  const { initiator = null, host = null } = state.ratings;
  invariant(initiatorRating === initiator && hostRating === host, 'a chat completes with the ratings that it has');
  return { ...state, status: 'completed', thread };
}
