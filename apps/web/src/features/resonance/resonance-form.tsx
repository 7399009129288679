import type { AffinityTrait, ResonanceHorizon } from '@app/domain';
import { useCallback, useRef, useState } from 'react';
import { AffinitySection } from './affinity-section';
import { CharacterSection } from './character-section';
import { HorizonSection } from './horizon-section';
import { LeaveDialog } from './leave-dialog';
import { draftOf, isSameDraft, type Resonance, type ResonanceDraft } from './resonance-draft';
import { SaveBar } from './save-bar';
import { useSaveResonance } from './use-resonance';

/** Horizon, Affinity and Character, and the one button that saves them. */
export function ResonanceForm({ stored }: { stored: Resonance | null }) {
  const save = useSaveResonance();
  const [draft, setDraft] = useState(() => draftOf(stored));
  const [hasTried, setHasTried] = useState(false);
  const horizon = useRef<HTMLDivElement>(null);
  const isChanged = !isSameDraft(draft, draftOf(stored));
  const change = (part: Partial<ResonanceDraft>) => setDraft((before) => ({ ...before, ...part }));
  const setScore = useCallback((trait: AffinityTrait, score: number) => {
    setDraft((before) => ({ ...before, scores: { ...before.scores, [trait]: score } }));
  }, []);
  const submit = () => {
    setHasTried(true);
    if (draft.horizon === null) horizon.current?.querySelector<HTMLElement>('[role=radio]')?.focus();
    else save.mutate({ ...draft, horizon: draft.horizon });
  };
  return (
    <form
      noValidate
      aria-label="Resonance profile"
      // The save bar may not cover what the keyboard reaches.
      className="grid grid-cols-1 gap-6 tall:**:scroll-mb-32"
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) submit();
      }}
    >
      <HorizonSection
        ref={horizon}
        horizon={draft.horizon}
        isMissing={hasTried && draft.horizon === null}
        onChange={(chosen: ResonanceHorizon) => change({ horizon: chosen })}
      />
      <AffinitySection scores={draft.scores} onScoreChange={setScore} />
      <CharacterSection draft={draft} onChange={change} />
      <SaveBar
        state={barState({ isChanged, isNew: stored === null, isSaving: save.isPending })}
        error={save.isError ? save.error : null}
      />
      <LeaveDialog isChanged={isChanged} />
    </form>
  );
}

function barState(given: { isChanged: boolean; isNew: boolean; isSaving: boolean }) {
  if (given.isSaving) return 'saving';
  if (given.isChanged) return 'changed';
  return given.isNew ? 'new' : 'saved';
}
