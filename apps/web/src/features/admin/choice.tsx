import { ToggleGroup } from 'radix-ui';

export interface ChoiceProps<T extends string> {
  label: string;
  options: readonly { value: T; label: string }[];
  value: T;
  onChange: (value: T) => void;
}

/** A choice of one of a few visible options; arrow keys move between them. */
export function Choice<T extends string>({ label, options, value, onChange }: ChoiceProps<T>) {
  const choose = (chosen: string) => {
    const option = options.find((each) => each.value === chosen);
    if (option !== undefined) onChange(option.value);
  };
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      onValueChange={choose}
      className="flex flex-wrap rounded-sm border border-line bg-sky-950 p-1"
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          className="min-h-11 rounded-[6px] px-3 max-[23rem]:px-2 whitespace-nowrap text-sm font-medium text-ink-muted hover:text-ink data-[state=on]:bg-sky-700 data-[state=on]:text-ink sm:min-h-8"
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
