import { CURRENT_TRAITS, IDEAL_TRAITS } from '@app/domain';
import { Card } from '@/shared/ui';
import type { ResonanceDraft } from './resonance-draft';
import { TraitChips } from './trait-chips';

export interface CharacterSectionProps {
  draft: ResonanceDraft;
  onChange: (part: Partial<ResonanceDraft>) => void;
}

/** Words for who one is and who one would be (rule resonance-1). */
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
