import { AMBITIONS_MAX, OCCUPATION_MAX, STATUS_MAX } from '@app/domain';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '@/shared/api';
import { errorToast, toast } from '@/shared/ui';
import type { ProfileCard } from './card-types';
import { holdPoll, patchCards } from './use-discovery';

/** What a member says about themselves on their card (rule discovery-3). */
export type OwnWords = Pick<ProfileCard, 'mood' | 'status' | 'occupation' | 'ambitions' | 'relationshipStatus'>;

/** The most characters (rule discovery-3). */
export const WORDS_MAX = { status: STATUS_MAX, occupation: OCCUPATION_MAX, ambitions: AMBITIONS_MAX } as const;

export const ownWordsOf = ({ mood, status, occupation, ambitions, relationshipStatus }: ProfileCard): OwnWords => ({
  mood,
  status,
  occupation,
  ambitions,
  relationshipStatus,
});

/** Saves the words of one's own card. */
export function useUpdateOwnCard(profileId: string, onSaved: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (words: OwnWords) => api.post('/api/users/update-profile', { body: words }),
    onMutate: () => holdPoll(client),
    onSuccess({ message, profile }) {
      patchCards(client, [{ id: profileId, ...profile }]);
      toast({ title: 'Profile saved', description: message });
      onSaved();
    },
    onError: (error) => errorToast('Failed to update profile', error, 'Please try again'),
  });
}
