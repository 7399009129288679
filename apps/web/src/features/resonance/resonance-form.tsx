import {
  AFFINITY_TRAITS,
  type AffinityScores,
  type AffinityTrait,
  RESONANCE_HORIZONS,
  type ResonanceHorizon,
} from '@app/domain';
import {
  Check,
  CircleAlert,
  CircleCheck,
  CircleDot,
  type LucideIcon,
  Milestone,
  Mountain,
  Sunrise,
} from 'lucide-react';
import { RadioGroup } from 'radix-ui';
import { type Ref, useCallback, useId, useRef, useState } from 'react';
import { errorSentence } from '@/shared/api';
import { LeaveDialog } from '@/shared/forms/leave-dialog';
import { Button, Card, FieldError } from '@/shared/ui';
import { AffinityRow } from './affinity-row';
import { CharacterSection } from './character-section';
import { draftOf, isSameDraft, type Resonance, type ResonanceDraft } from './resonance-draft';
import { StarMap } from './star-map';
import { useSaveResonance } from './use-resonance';

/** Horizon, Affinity and Character, with one button that saves them. */
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
      // The save bar must not cover an element that takes the keyboard's focus.
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
      <LeaveDialog isChanged={isChanged} what="Your changes to your Resonance profile" />
    </form>
  );
}

function barState(given: { isChanged: boolean; isNew: boolean; isSaving: boolean }) {
  if (given.isSaving) return 'saving';
  if (given.isChanged) return 'changed';
  return given.isNew ? 'new' : 'saved';
}

interface AffinitySectionProps {
  scores: AffinityScores;
  onScoreChange: (trait: AffinityTrait, score: number) => void;
}

/** Fifteen traits, and the star map that they make. */
function AffinitySection({ scores, onScoreChange }: AffinitySectionProps) {
  return (
    <Card
      title="Affinity"
      description="Place yourself on fifteen scales. The middle is balanced, and a fine place to be."
    >
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] lg:gap-10">
        <div className="lg:order-last">
          <div className="lg:sticky lg:top-24">
            <StarMap scores={scores} />
          </div>
        </div>
        <ul className="grid grid-cols-1 content-start divide-y divide-line">
          {AFFINITY_TRAITS.map((trait) => (
            <AffinityRow key={trait} trait={trait} score={scores[trait]} onScoreChange={onScoreChange} />
          ))}
        </ul>
      </div>
    </Card>
  );
}

interface SaveBarProps {
  state: 'new' | 'changed' | 'saving' | 'saved';
  error: Error | null;
}

/** Stays in reach while the form is longer than the screen: above a phone's tabs, otherwise at the bottom. */
function SaveBar({ state, error }: SaveBarProps) {
  const isSaving = state === 'saving';
  return (
    <div className="z-10 flex flex-wrap items-center justify-between gap-x-3 gap-y-2 rounded-lg border border-line bg-sky-800/95 p-3 shadow-raised backdrop-blur-sm sm:px-6 sm:py-4 tall:sticky tall:bottom-[calc(4rem+env(safe-area-inset-bottom))] tall:sm:bottom-4">
      <p aria-live="polite" className="flex min-w-0 items-center gap-2 text-sm text-ink-muted">
        {!isSaving && error !== null ? <Failure error={error} /> : <State state={state} />}
      </p>
      <Button type="submit" variant="primary" className="grow sm:grow-0" pending={isSaving} pendingText="Saving...">
        Save Resonance Profile
      </Button>
    </div>
  );
}

function Failure({ error }: { error: Error }) {
  return (
    <>
      <CircleAlert aria-hidden="true" className="size-4 shrink-0 text-loss" />
      <span>{errorSentence(error, 'Nothing was saved. Try again in a moment.')}</span>
    </>
  );
}

function State({ state }: { state: SaveBarProps['state'] }) {
  if (state === 'new') return <span>Nothing saved yet</span>;
  if (state === 'saved') {
    return (
      <>
        <Check aria-hidden="true" className="size-4 shrink-0 text-gain" />
        <span>All saved</span>
      </>
    );
  }
  return (
    <>
      <CircleDot aria-hidden="true" className="size-4 shrink-0 text-hold" />
      <span>Not saved</span>
    </>
  );
}

const horizons: Record<ResonanceHorizon, { title: string; text: string; icon: LucideIcon }> = {
  short_term: { title: 'Short term', text: 'Good talks now. See where a few weeks lead.', icon: Sunrise },
  midterm: { title: 'Midterm', text: 'People to grow with over months and plans.', icon: Milestone },
  long_term: { title: 'Long term', text: 'Bonds that are meant to last for years.', icon: Mountain },
};

interface HorizonSectionProps {
  ref: Ref<HTMLDivElement>;
  horizon: ResonanceHorizon | null;
  /** The member tried to save without a horizon. */
  isMissing: boolean;
  onChange: (horizon: ResonanceHorizon) => void;
}

/** How far ahead the member looks (rule resonance-1): one of three horizons. */
function HorizonSection({ ref, horizon, isMissing, onChange }: HorizonSectionProps) {
  const errorId = useId();
  return (
    <Card title="Horizon" description="How far ahead do you look for a connection?">
      <RadioGroup.Root
        ref={ref}
        aria-label="Horizon"
        aria-required
        aria-invalid={isMissing || undefined}
        aria-describedby={isMissing ? errorId : undefined}
        value={horizon ?? ''}
        onValueChange={(value) => onChange(value as ResonanceHorizon)}
        className="grid gap-3 sm:grid-cols-3"
      >
        {RESONANCE_HORIZONS.map((value) => (
          <Choice key={value} value={value} />
        ))}
      </RadioGroup.Root>
      {isMissing && (
        <div className="mt-3">
          <FieldError id={errorId}>Choose a horizon before you save.</FieldError>
        </div>
      )}
    </Card>
  );
}

function Choice({ value }: { value: ResonanceHorizon }) {
  const { title, text, icon: Icon } = horizons[value];
  const id = useId();
  return (
    <RadioGroup.Item
      value={value}
      aria-labelledby={id}
      aria-describedby={`${id}-text`}
      className="group relative flex items-start gap-3 rounded-md border border-line bg-sky-700/40 p-4 pr-11 text-left cramped:flex-col cramped:pr-4 transition-colors hover:border-line-strong data-[state=checked]:border-nova data-[state=checked]:bg-nova/10"
    >
      <Icon
        aria-hidden="true"
        className="size-6 shrink-0 text-ink-muted transition-colors group-data-[state=checked]:text-nova"
      />
      <span className="min-w-0">
        <span id={id} className="block text-sm font-semibold text-ink">
          {title}
        </span>
        <span id={`${id}-text`} className="mt-1 block text-sm text-ink-muted">
          {text}
        </span>
      </span>
      <RadioGroup.Indicator className="absolute top-4 right-4">
        <CircleCheck aria-hidden="true" className="size-5 text-nova" />
      </RadioGroup.Indicator>
    </RadioGroup.Item>
  );
}
