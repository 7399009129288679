import { AMBITIONS_MAX, OCCUPATION_MAX, RELATIONSHIP_STATUSES, STATUS_MAX } from '@app/domain';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { RadioGroup } from 'radix-ui';
import { useState } from 'react';
import { api } from '@/shared/api';
import { Button, cappedAt, errorToast, Field, Select, Textarea, TextInput, toast } from '@/shared/ui';
import { useCardDeck } from './card-deck';
import { type CardFace, faceAfter } from './card-faces';
import type { ProfileCard } from './card-types';
import { FaceFrame, FadingScroll, FreeStep } from './face-frame';
import { type CardMood, moodOf, MOODS } from './moods';
import { holdPoll, patchCards } from './use-discovery';
import { WallList } from './wall-list';

const TITLES = new Map<CardFace, string>([
  ['mood', 'My mood'],
  ['about', 'About me'],
  ['ownWall', 'My wall'],
]);

/**
 * The faces that the owner's clicks lead through: mood, status and about, the wall, and closed (rule discovery-4).
 * Unsaved changes are discarded.
 */
export function OwnCardBack({ profile, face }: { profile: ProfileCard; face: CardFace }) {
  const deck = useCardDeck();
  const [changes, setChanges] = useState<Partial<OwnWords>>({});
  const turn = (next: CardFace) => {
    // The back stays while it turns away, and may be opened again before it is gone.
    if (next === 'front') setChanges({});
    deck.turn(profile.id, next);
  };
  const close = () => turn('front');
  const update = useUpdateOwnCard(profile.id, close);
  const words: OwnWords = { ...ownWordsOf(profile), ...changes };
  const change = (changed: Partial<OwnWords>) => setChanges((before) => ({ ...before, ...changed }));
  const hasChanges = Object.keys(changes).length > 0;
  return (
    <FaceFrame
      face={face}
      title={TITLES.get(face) ?? ''}
      step={<FreeStep face={face} onNext={() => turn(faceAfter(face))} />}
      onClose={close}
      {...((face !== 'ownWall' || hasChanges) && {
        footer: (
          <>
            <Button className="min-w-0 flex-1 px-2!" onClick={close}>
              Cancel
            </Button>
            <Button
              variant="primary"
              className="min-w-0 flex-1 px-2!"
              disabled={!hasChanges}
              pending={update.isPending}
              onClick={() => update.mutate(words)}
            >
              Save Profile
            </Button>
          </>
        ),
      })}
    >
      {face === 'mood' && <MoodPicker mood={words.mood} onPick={(mood) => change({ mood })} />}
      {face === 'about' && <AboutFields words={words} onChange={change} />}
      {face === 'ownWall' && <WallList profile={profile} isWhole />}
    </FaceFrame>
  );
}

/** The seven moods (rule discovery-2). */
function MoodPicker({ mood, onPick }: { mood: string; onPick: (mood: CardMood['name']) => void }) {
  return (
    <FadingScroll>
      <RadioGroup.Root
        aria-label="Mood"
        value={moodOf(mood).name}
        onValueChange={(name) => onPick(moodOf(name).name)}
        className="grid grid-cols-2 content-start gap-1.5 p-2.5 max-[37.5rem]:grid-cols-3 max-[23rem]:grid-cols-2"
      >
        {MOODS.map(({ name, meaning, dot }) => (
          <RadioGroup.Item
            key={name}
            value={name}
            className={clsx(
              'flex min-h-11 min-w-0 wrap-anywhere items-center gap-2 rounded-sm border px-2 text-left text-xs leading-tight transition-colors sm:min-h-10',
              'border-line text-ink-muted hover:border-line-strong data-[state=checked]:border-nova data-[state=checked]:bg-sky-700 data-[state=checked]:text-ink',
            )}
          >
            <span className={clsx('size-3.5 shrink-0 rounded-full', dot)} />
            {meaning}
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </FadingScroll>
  );
}

/** Means no choice, because an option cannot have an empty value (rule screens-15). */
const NOT_SAID = 'none';

const OPTIONS = [
  { value: NOT_SAID, label: 'Not said' },
  ...RELATIONSHIP_STATUSES.map((relationship) => ({ value: relationship, label: relationship })),
];

interface AboutFieldsProps {
  words: OwnWords;
  onChange: (changed: Partial<OwnWords>) => void;
}

/** Status, occupation, ambitions and relationship status, each with its limit (rule discovery-3). */
function AboutFields({ words, onChange }: AboutFieldsProps) {
  const text = (field: keyof typeof WORDS_MAX) => ({
    dir: 'auto' as const,
    value: words[field] ?? '',
    onChange: (event: { target: { value: string } }) =>
      onChange({ [field]: cappedAt(event.target.value, WORDS_MAX[field]) }),
  });
  const left = (field: keyof typeof WORDS_MAX) => (
    <span className="text-xs text-ink-faint tabular-nums">
      {Array.from(words[field] ?? '').length}/{WORDS_MAX[field]}
    </span>
  );
  return (
    <FadingScroll>
      <div className="grid grid-cols-1 gap-3 p-3">
        <Field label="Status" aside={left('status')}>
          <Textarea rows={2} {...text('status')} />
        </Field>
        <Field label="Occupation" aside={left('occupation')}>
          <TextInput {...text('occupation')} />
        </Field>
        <Field label="Ambitions" aside={left('ambitions')}>
          <Textarea rows={3} {...text('ambitions')} />
        </Field>
        <Field label="Relationship status">
          <Select
            options={OPTIONS}
            value={words.relationshipStatus ?? NOT_SAID}
            onChange={({ target: { value } }) =>
              onChange({ relationshipStatus: RELATIONSHIP_STATUSES.find((each) => each === value) ?? null })
            }
          />
        </Field>
      </div>
    </FadingScroll>
  );
}

/** What members say about themselves on their card (rule discovery-3). */
type OwnWords = Pick<ProfileCard, 'mood' | 'status' | 'occupation' | 'ambitions' | 'relationshipStatus'>;

/** The most characters of each field (rule discovery-3). */
const WORDS_MAX = { status: STATUS_MAX, occupation: OCCUPATION_MAX, ambitions: AMBITIONS_MAX } as const;

const ownWordsOf = ({ mood, status, occupation, ambitions, relationshipStatus }: ProfileCard): OwnWords => ({
  mood,
  status,
  occupation,
  ambitions,
  relationshipStatus,
});

/** Saves the words of the member's own card. */
function useUpdateOwnCard(profileId: string, onSaved: () => void) {
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
