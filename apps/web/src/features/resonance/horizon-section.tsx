import { RESONANCE_HORIZONS, type ResonanceHorizon } from '@app/domain';
import { CircleCheck, Milestone, Mountain, Sunrise, type LucideIcon } from 'lucide-react';
import { RadioGroup } from 'radix-ui';
import { useId, type Ref } from 'react';
import { Card, FieldError } from '@/shared/ui';

const horizons: Record<ResonanceHorizon, { title: string; text: string; icon: LucideIcon }> = {
  short_term: { title: 'Short term', text: 'Good talks now. See where a few weeks lead.', icon: Sunrise },
  midterm: { title: 'Midterm', text: 'People to grow with over months and plans.', icon: Milestone },
  long_term: { title: 'Long term', text: 'Bonds that are meant to last for years.', icon: Mountain },
};

export interface HorizonSectionProps {
  ref: Ref<HTMLDivElement>;
  horizon: ResonanceHorizon | null;
  /** It was to be saved without one. */
  isMissing: boolean;
  onChange: (horizon: ResonanceHorizon) => void;
}

/** How far ahead one looks (rule resonance-1): one of three. */
export function HorizonSection({ ref, horizon, isMissing, onChange }: HorizonSectionProps) {
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
