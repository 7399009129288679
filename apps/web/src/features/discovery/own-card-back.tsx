import { useState } from 'react';
import { Button } from '@/shared/ui';
import { AboutFields } from './about-fields';
import { useCardDeck } from './card-deck';
import { faceAfter, type CardFace } from './card-faces';
import type { ProfileCard } from './card-types';
import { FaceFrame } from './face-frame';
import { MoodPicker } from './mood-picker';
import { ownWordsOf, useUpdateOwnCard, type OwnWords } from './use-own-card';
import { WallList } from './wall-list';

const TITLES = new Map<CardFace, string>([
  ['mood', 'My mood'],
  ['about', 'About me'],
  ['ownWall', 'My wall'],
]);

/** What the owner's clicks lead through: mood, status and about, the wall, and closed (rule discovery-4). What is not saved is let go. */
export function OwnCardBack({ profile, face }: { profile: ProfileCard; face: CardFace }) {
  const deck = useCardDeck();
  const [changes, setChanges] = useState<Partial<OwnWords>>({});
  const turn = (next: CardFace) => {
    // The back stays while it turns away, and may be asked for again before it is gone.
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
      isPaid={false}
      onNext={() => turn(faceAfter(face))}
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
