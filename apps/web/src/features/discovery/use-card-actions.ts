import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  api,
  ApiError,
  errorSentence,
  hasCode,
  INVALID_RESPONSE_FORMAT,
  NO_ANSWER,
  type PaidPress,
  refreshMoney,
  sayAmount,
  useActionKey,
  type Schemas,
} from '@/shared/api';
import { errorToast, failureToast, toast } from '@/shared/ui';
import { NAVIGATE_NOVA } from './card-prices';
import { holdPoll, patchCards } from './use-discovery';

export type Upvoted = Schemas['UpvotedDto'];

/** Why an upvote failed (rule discovery-18). */
function upvoteFailure(error: unknown): string {
  const isText = error instanceof ApiError && error.status !== NO_ANSWER && typeof error.body === 'string';
  const isUnreadable = error instanceof ApiError && error.message.endsWith(INVALID_RESPONSE_FORMAT);
  return isText || isUnreadable ? INVALID_RESPONSE_FORMAT : errorSentence(error, 'Please try again');
}

/** Gives 50 Nova to a card once, however often it is retried; the first gift unlocks the card (rule discovery-12). */
export function useUpvote(profileId: string, onUpvoted: (answer: Upvoted) => void) {
  const client = useQueryClient();
  const key = useActionKey();
  return useMutation({
    mutationFn: (press: PaidPress) =>
      api.post('/api/discovery/upvote', { body: { profileId }, idempotencyKey: key.keyFor(profileId), press }),
    onMutate: () => holdPoll(client),
    onSuccess(answer) {
      key.done();
      const { kind, message, compatibilityScore } = answer;
      patchCards(client, [{ id: profileId, isUnlocked: true, compatibilityScore }]);
      // No toast for an unlock: the card turns, so the member sees it.
      if (kind === 'upvote') toast({ title: 'Nova gifted', description: message });
      onUpvoted(answer);
    },
    onError: (error) => failureToast('Failed to gift Nova', upvoteFailure(error), error),
    onSettled: () => refreshMoney(client),
  });
}

/** Pays for one step from face to face of another member's card (rules discovery-12, discovery-18). */
export function useNavigateCard(profileId: string, onTurned: () => void) {
  const client = useQueryClient();
  const key = useActionKey();
  return useMutation({
    mutationFn: (press: PaidPress) => {
      const body = { profileId, novaCost: NAVIGATE_NOVA };
      return api.post('/api/profile/navigate', { body, idempotencyKey: key.keyFor(body), press });
    },
    onSuccess() {
      key.done();
      onTurned();
    },
    onError(error) {
      if (hasCode(error, 'INSUFFICIENT_NOVA')) {
        failureToast('Insufficient Nova', `You need ${sayAmount(NAVIGATE_NOVA)} to navigate this profile.`, error);
      } else {
        errorToast('Failed to turn the card', error, 'Please try again');
      }
    },
    onSettled: () => refreshMoney(client),
  });
}
