import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiFetch, errorSentence, useActionKey } from '@/shared/api';
import { toast } from '@/shared/ui';
import { chatKeys } from './chat-keys';
import type { ChatView, PayoutSummary } from './chat-types';
import { refreshAroundChats } from './use-chat';

export interface RequestedChat {
  message: string;
  chatId: string;
  chat: ChatView;
  price: number;
  acceptBy: string;
}

export interface ChatOrder {
  hostId: string;
  /** What the member was shown: another price is refused with 409 and the new one. */
  expectedPrice: number;
}

/** Requests a chat once, however often it is tried. */
export function useRequestChat() {
  const client = useQueryClient();
  const key = useActionKey();
  return useMutation({
    mutationFn: (order: ChatOrder) =>
      apiFetch<RequestedChat>('/api/chats/initiate', {
        method: 'POST',
        body: order,
        idempotencyKey: key.keyFor(order),
      }),
    onSuccess: () => key.done(),
    onSettled: () => refreshAroundChats(client),
  });
}

interface ActionOptions<T> {
  /** The last part of the address: `accept`, `exit`, … */
  call: string;
  /** The title of the toast when it fails (S0 §8, S1 §8). */
  failure: string;
  onSuccess?: OnSuccess<T> | undefined;
}

/** Called even when the list that showed the chat no longer does. */
type OnSuccess<T> = (answer: T) => void;

/** A command on a chat without a body; a failure is a toast with the server's sentence. */
function useChatAction<T>({ call, failure, onSuccess }: ActionOptions<T>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (chatId: string) =>
      apiFetch<T>(`/api/chats/${encodeURIComponent(chatId)}/${call}`, { method: 'POST', body: {} }),
    ...(onSuccess && { onSuccess }),
    onError: (error) =>
      toast({ title: failure, description: errorSentence(error, 'Please try again.'), variant: 'destructive' }),
    onSettled: (_, __, chatId) =>
      Promise.all([client.invalidateQueries({ queryKey: chatKeys.chat(chatId) }), refreshAroundChats(client)]),
  });
}

interface Answered {
  message: string;
  chatId: string;
}

export const useAcceptChat = (onSuccess?: OnSuccess<Answered>) =>
  useChatAction<Answered>({ call: 'accept', failure: 'Failed to accept chat', onSuccess });

export const useDeclineChat = (onSuccess?: OnSuccess<Answered>) =>
  useChatAction<Answered>({ call: 'decline', failure: 'Failed to decline chat', onSuccess });

export const useExitChat = (onSuccess: OnSuccess<Answered>) =>
  useChatAction<Answered>({ call: 'exit', failure: 'Failed to terminate chat', onSuccess });

export const useNudge = (onSuccess: OnSuccess<{ message: string }>) =>
  useChatAction<{ message: string }>({ call: 'nudge', failure: 'Failed to send nudge', onSuccess });

export interface ChatReview {
  rating: number;
  comment: string;
  follow: boolean;
  explanation?: string;
}

/** One rating of a chat, answered with what it has brought. */
export function useRateChat(chatId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (review: ChatReview) =>
      apiFetch<PayoutSummary>(`/api/chats/${encodeURIComponent(chatId)}/rate`, { method: 'POST', body: review }),
    onSuccess: () =>
      Promise.all([client.invalidateQueries({ queryKey: chatKeys.chat(chatId) }), refreshAroundChats(client)]),
  });
}
