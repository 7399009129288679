import { clsx } from 'clsx';
import { Search, SlidersHorizontal } from 'lucide-react';
import { RadioGroup, Switch } from 'radix-ui';
import { useId, useState, type ReactNode } from 'react';
import { Badge, Button, TextInput } from '@/shared/ui';
import { filterCount, MEDIA_CHOICES, NO_FILTERS, RATING_CHOICES } from './card-filters';
import type { CardFilterControl } from './use-card-filters';

/** Search and filters of the grid (rule discovery-7). */
export function DiscoveryControls({ control }: { control: CardFilterControl }) {
  const { filters, change, searchText, typeSearch } = control;
  const count = filterCount(filters);
  const [isOpen, setOpen] = useState(count > 0);
  const panelId = useId();
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap gap-2">
        <div className="relative min-w-0 flex-1 basis-50 sm:max-w-md">
          <Search
            aria-hidden="true"
            className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-faint"
          />
          <TextInput
            type="search"
            aria-label="Search members"
            placeholder="Search members"
            className="pl-9"
            value={searchText}
            onChange={(event) => typeSearch(event.target.value)}
          />
        </div>
        <Button
          aria-expanded={isOpen}
          aria-controls={panelId}
          icon={<SlidersHorizontal aria-hidden="true" className="size-4" />}
          onClick={() => setOpen(!isOpen)}
          className="px-3!"
        >
          {isOpen ? 'Hide Filters' : 'Show Filters'}
          {count > 0 && <Badge tone="nova">{count}</Badge>}
        </Button>
      </div>
      <div
        id={panelId}
        hidden={!isOpen}
        className="flex flex-wrap items-end gap-x-6 gap-y-4 rounded-lg border border-line bg-sky-800 p-4 [[hidden]]:hidden"
      >
        <Choice
          label="Min Rating"
          choices={RATING_CHOICES}
          value={filters.minRating}
          onChoose={(minRating) => change({ minRating })}
        />
        <Choice
          label="Type"
          choices={MEDIA_CHOICES}
          value={filters.mediaType}
          onChoose={(mediaType) => change({ mediaType })}
        />
        <OnlineSwitch checked={filters.onlineOnly} onChange={(onlineOnly) => change({ onlineOnly })} />
        <Button
          variant="ghost"
          disabled={count === 0 && filters.search === ''}
          onClick={() => change(NO_FILTERS)}
          className="sm:ml-auto"
        >
          Clear Filters
        </Button>
      </div>
    </div>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  choices: readonly { value: T; label: string }[];
  value: T;
  onChoose: (value: T) => void;
}

function Choice<T extends string>({ label, choices, value, onChoose }: ChoiceProps<T>) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <FilterLabel id={id}>{label}</FilterLabel>
      <RadioGroup.Root
        aria-labelledby={id}
        value={value}
        onValueChange={(next) => {
          const chosen = choices.find((choice) => choice.value === next);
          if (chosen !== undefined) onChoose(chosen.value);
        }}
        className="flex rounded-sm border border-line-strong bg-sky-700/60 p-0.5"
      >
        {choices.map((choice) => (
          <RadioGroup.Item
            key={choice.value}
            value={choice.value}
            className={clsx(
              'min-h-11 rounded-[6px] px-3.5 text-sm text-ink-muted transition-colors hover:text-ink sm:min-h-8',
              'data-[state=checked]:bg-nova data-[state=checked]:font-semibold data-[state=checked]:text-on-nova',
            )}
          >
            {choice.label}
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </div>
  );
}

function OnlineSwitch({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  const id = useId();
  return (
    <div className="flex min-h-11 items-center gap-2.5 sm:min-h-10">
      <Switch.Root
        id={id}
        checked={checked}
        onCheckedChange={onChange}
        className="relative h-6 w-11 shrink-0 rounded-full border border-line-strong bg-sky-700 transition-colors before:absolute before:-inset-2.5 data-[state=checked]:border-nova data-[state=checked]:bg-nova"
      >
        <Switch.Thumb className="block size-4 translate-x-1 rounded-full bg-ink transition-transform forced-colors:border data-[state=checked]:translate-x-5.5 data-[state=checked]:bg-on-nova" />
      </Switch.Root>
      <label htmlFor={id} className="text-sm text-ink">
        Online Only
      </label>
    </div>
  );
}

const FilterLabel = ({ id, children }: { id: string; children: ReactNode }) => (
  <span id={id} className="text-xs font-medium text-ink-muted">
    {children}
  </span>
);
