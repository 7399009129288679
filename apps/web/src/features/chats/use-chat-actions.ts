import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, hasCode, hasStatus, isOutcomeUnknown, type PaidPress, useActionKey, type Schemas } from '@/shared/api';
import { errorToast } from '@/shared/ui';
import { chatKeys } from './chat-keys';
import { isTerminatedByOther } from './chat-news';
import type { ChatView } from './chat-types';
import { howItEnded } from './how-it-ended';
import { refreshAroundChats } from './use-chat';

export type RequestedChat = Schemas['InitiatedChatDto'];

export interface ChatOrder {
  hostId: string;
  /** Both sides as the member saw them (rule chats-40). */
  initiatorProfileData: Record<string, unknown>;
  hostProfileData: Record<string, unknown>;
  /** The price that the member was shown. The server refuses any other price with 409 and sends the new one. */
  expectedPrice: number;
}

export interface RequestOutcome {
  onRequested: (answer: RequestedChat) => void;
  onRefused: (error: Error) => void;
}

/** Requests a chat once, however often the request is retried. Reports the outcome even if the form is gone by then. */
export function useRequestChat({ onRequested, onRefused }: RequestOutcome) {
  const client = useQueryClient();
  const key = useActionKey();
  return useMutation({
    mutationFn: ({ order, press }: { order: ChatOrder; press: PaidPress }) =>
      api.post('/api/chats/initiate', {
        body: order,
        idempotencyKey: key.keyFor([order.hostId, order.expectedPrice]),
        press,
      }),
    onSuccess(answer) {
      key.done();
      onRequested(answer);
    },
    onError(error) {
      // The server has given up this request for good, so the next try is a new request.
      if (hasCode(error, 'REQUEST_ABANDONED')) key.done();
      onRefused(error);
    },
    onSettled: () => refreshAroundChats(client),
  });
}

interface ActionOptions<T> {
  send: (given: { path: { id: string }; body: Record<string, never>; idempotencyKey: string }) => Promise<T>;
  /** The title of the toast when the action fails (rule chats-35). */
  failure: string;
  /**
   * What a refusal or a lost answer means, judged by the chat's current state: the answer if the action had already
   * succeeded, null if the screen reports it by itself, undefined if the action failed.
   */
  inVain?: (chat: ChatView) => T | null | undefined;
  onSuccess?: OnSuccess<T> | undefined;
}

/** Called even when the list that showed the chat is gone. */
type OnSuccess<T> = (answer: T) => void;

/** Sends a command without a body on a chat. A failure shows a toast with the server's sentence. */
function useChatAction<T>({ send, failure, inVain, onSuccess }: ActionOptions<T>) {
  const client = useQueryClient();
  const key = useActionKey();
  return useMutation({
    async mutationFn(chatId: string): Promise<T | null> {
      const path = { id: chatId };
      try {
        return await send({ path, body: {}, idempotencyKey: key.keyFor(chatId) });
      } catch (error) {
        if (!inVain || !(hasStatus(error, 409) || isOutcomeUnknown(error))) throw error;
        const answer = inVain(await api.get('/api/chats/{id}', { path }));
        if (answer === undefined) throw error;
        return answer;
      }
    },
    onSuccess(answer) {
      key.done();
      if (answer !== null) onSuccess?.(answer);
    },
    onError: (error) => errorToast(failure, error),
    onSettled: (_, __, chatId) =>
      Promise.all([client.invalidateQueries({ queryKey: chatKeys.chat(chatId) }), refreshAroundChats(client)]),
  });
}

type Answered = Pick<Schemas['DeclinedChatDto'], 'message' | 'chatId'>;

const endedBefore = (chat: ChatView): Answered => ({ message: howItEnded(chat), chatId: chat.id });

export const useAcceptChat = (onSuccess?: OnSuccess<{ chatId: string }>) =>
  useChatAction<{ chatId: string }>({
    send: ({ path }) => api.post('/api/chats/accept-request/{id}', { path }),
    failure: 'Failed to accept chat',
    inVain: ({ id, acceptedAt }) => (acceptedAt === null ? undefined : { chatId: id }),
    onSuccess,
  });

export const useDeclineChat = (onSuccess?: OnSuccess<Answered>) =>
  useChatAction<Answered>({
    send: (given) => api.post('/api/chats/decline-request/{id}', given),
    failure: 'Failed to decline chat',
    inVain: (chat) => (chat.status === 'declined' ? endedBefore(chat) : undefined),
    onSuccess,
  });

export const useExitChat = (onSuccess: OnSuccess<Answered>) =>
  useChatAction<Answered>({
    send: (given) => api.post('/api/chats/{id}/exit', given),
    failure: 'Failed to terminate chat',
    inVain(chat) {
      if (isTerminatedByOther(chat)) return null;
      return chat.status === 'terminated' ? endedBefore(chat) : undefined;
    },
    onSuccess,
  });

export const useNudge = (onSuccess: OnSuccess<{ message: string }>) =>
  useChatAction<{ message: string }>({
    send: ({ path }) => api.post('/api/chats/{id}/nudge', { path }),
    failure: 'Failed to send nudge',
    onSuccess,
  });

export type ChatReview = Schemas['RateChatDto'];

/** Rates a chat once and returns what the chat paid, even if the chat was already rated and that answer was lost. */
export function useRateChat(chatId: string) {
  const client = useQueryClient();
  const key = useActionKey();
  const path = { id: chatId };
  return useMutation({
    async mutationFn(review: ChatReview) {
      try {
        return await api.post('/api/chats/{id}/rate', { path, body: review, idempotencyKey: key.keyFor(review) });
      } catch (error) {
        if (!hasCode(error, 'ALREADY_RATED')) throw error;
        return api.get('/api/chats/{id}/payout', { path });
      }
    },
    onSuccess() {
      // Not awaited, because the summary is there and is shown at once.
      void client.invalidateQueries({ queryKey: chatKeys.chat(chatId) });
      void refreshAroundChats(client);
    },
  });
}
