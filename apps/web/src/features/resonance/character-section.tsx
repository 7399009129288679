import { CHARACTER_TRAITS_MAX, CURRENT_TRAITS, IDEAL_TRAITS } from '@app/domain';
import { Check } from 'lucide-react';
import { ToggleGroup } from 'radix-ui';
import { useId } from 'react';
import { Card, failureToast } from '@/shared/ui';
import { readSelection, type ResonanceDraft } from './resonance-draft';

export interface CharacterSectionProps {
  draft: ResonanceDraft;
  onChange: (part: Partial<ResonanceDraft>) => void;
}

/** Words for the member's actual self and ideal self (rule resonance-1). */
export function CharacterSection({ draft, onChange }: CharacterSectionProps) {
  return (
    <Card title="Character" description="People who see themselves in your ideal words match you.">
      <div className="grid grid-cols-1 gap-8 lg:grid-cols-2 lg:gap-10">
        <TraitChips
          title="Current self"
          hint="Words that fit you today."
          options={CURRENT_TRAITS}
          chosen={draft.currentTraits}
          onChange={(currentTraits) => onChange({ currentTraits })}
        />
        <TraitChips
          title="Ideal self"
          hint="Words you would like to grow into."
          options={IDEAL_TRAITS}
          chosen={draft.idealTraits}
          onChange={(idealTraits) => onChange({ idealTraits })}
        />
      </div>
    </Card>
  );
}

interface TraitChipsProps<T extends string> {
  title: string;
  hint: string;
  options: readonly T[];
  chosen: readonly T[];
  onChange: (chosen: T[]) => void;
}

/** A choice of up to twenty words. It is one tab stop; the arrow keys move between the words. */
function TraitChips<T extends string>({ title, hint, options, chosen, onChange }: TraitChipsProps<T>) {
  const id = useId();
  const choose = (words: string[]) => {
    const selection = readSelection(options, words);
    if (selection !== null) onChange(selection);
    else {
      const description = `You can select up to ${CHARACTER_TRAITS_MAX} traits`;
      failureToast('Limit reached', description);
    }
  };
  return (
    <section aria-labelledby={id} className="min-w-0">
      <div className="flex items-baseline justify-between gap-x-3 cramped:flex-wrap">
        <h3 id={id} className="text-sm font-semibold text-ink">
          {title}
        </h3>
        <p aria-live="polite" className="text-sm whitespace-nowrap text-ink-muted tabular-nums">
          <span className="sr-only">{title}: </span>
          {chosen.length} of {CHARACTER_TRAITS_MAX} selected
        </p>
      </div>
      <p className="mt-1 text-sm text-ink-muted">{hint}</p>
      <ToggleGroup.Root
        type="multiple"
        aria-labelledby={id}
        value={[...chosen]}
        onValueChange={choose}
        className="mt-4 flex flex-wrap gap-2"
      >
        {options.map((word) => (
          <ToggleGroup.Item
            key={word}
            value={word}
            className="group inline-flex min-h-11 items-center gap-1.5 rounded-full border border-line bg-sky-700/40 px-4 text-sm text-ink-muted transition-colors cramped:px-2 hover:border-line-strong hover:text-ink data-[state=on]:border-nova data-[state=on]:bg-nova/15 data-[state=on]:text-ink sm:min-h-9 sm:px-3.5"
          >
            <Check aria-hidden="true" className="hidden size-4 text-nova group-data-[state=on]:block" />
            {word}
          </ToggleGroup.Item>
        ))}
      </ToggleGroup.Root>
    </section>
  );
}
