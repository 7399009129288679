import {
  AFFINITY_SCALES,
  AFFINITY_SCORE_MAX,
  AFFINITY_SCORE_MIN,
  AFFINITY_SCORE_STEP,
  AFFINITY_TITLES,
  descriptorOf,
  type AffinityTrait,
} from '@app/domain';
import { memo, useState } from 'react';
import { Slider, TextInput } from '@/shared/ui';
import { readScore } from './resonance-draft';

export interface AffinityRowProps {
  trait: AffinityTrait;
  score: number;
  onScoreChange: (trait: AffinityTrait, score: number) => void;
}

/** One trait: its current word, its slider and its number box, which all show the same score. */
export const AffinityRow = memo(function AffinityRow({ trait, score, onScoreChange }: AffinityRowProps) {
  const title = AFFINITY_TITLES[trait];
  const word = descriptorOf(trait, score);
  const scale = AFFINITY_SCALES[trait];
  return (
    <li className="py-3 first:pt-0 last:pb-0">
      <div className="flex items-center justify-between gap-x-3 cramped:flex-wrap">
        <p className="min-w-0 text-sm">
          <span className="font-medium text-ink">{title}</span>
          <span aria-hidden="true" className="block text-nova">
            {word}
          </span>
        </p>
        <div className="w-20 shrink-0">
          <ScoreBox title={title} score={score} onScoreChange={(next) => onScoreChange(trait, next)} />
        </div>
      </div>
      <Slider
        label={title}
        value={score}
        valueText={`${score}, ${word}`}
        min={AFFINITY_SCORE_MIN}
        max={AFFINITY_SCORE_MAX}
        step={AFFINITY_SCORE_STEP}
        onValueChange={(next) => onScoreChange(trait, next)}
      />
      <p aria-hidden="true" className="flex justify-between gap-x-4 text-xs cramped:flex-wrap text-ink-faint">
        <span>{scale[0]}</span>
        <span className="text-right">{scale.at(-1)}</span>
      </p>
    </li>
  );
});

interface ScoreBoxProps {
  title: string;
  score: number;
  onScoreChange: (score: number) => void;
}

/**
 * Takes the typed text once it is a number from 0 to 100; any other text stays until the focus leaves the box, then
 * reverts.
 */
function ScoreBox({ title, score, onScoreChange }: ScoreBoxProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const isWrong = typed !== null && typed !== '' && readScore(typed) === null;
  return (
    <TextInput
      type="number"
      inputMode="decimal"
      aria-label={`${title}, from 0 to 100`}
      aria-invalid={isWrong || undefined}
      min={AFFINITY_SCORE_MIN}
      max={AFFINITY_SCORE_MAX}
      step={AFFINITY_SCORE_STEP}
      className="[appearance:textfield] text-right tabular-nums [&::-webkit-inner-spin-button]:appearance-none"
      value={typed ?? String(score)}
      onChange={({ target }) => {
        setTyped(target.value);
        const next = readScore(target.value);
        if (next !== null) onScoreChange(next);
      }}
      onBlur={() => setTyped(null)}
      // Scrolling past must not change the number.
      onWheel={({ currentTarget }) => currentTarget.blur()}
      // Enter confirms the number; the profile is saved by its button.
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        setTyped(null);
      }}
    />
  );
}
