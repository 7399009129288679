import { Slider as RadixSlider } from 'radix-ui';

export interface SliderProps {
  label: string;
  value: number;
  onValueChange: (value: number) => void;
  min?: number;
  max?: number;
  step?: number;
  /** What a screen reader says for the value: `40%`. */
  valueText?: string;
}

/** One value on a line; arrow keys, Page Up/Down, Home and End move it. */
export function Slider({ label, value, onValueChange, valueText, min = 0, max = 100, ...rest }: SliderProps) {
  return (
    <RadixSlider.Root
      {...rest}
      min={min}
      max={max}
      value={[value]}
      onValueChange={([next]) => onValueChange(next ?? min)}
      className="relative flex h-11 w-full touch-none items-center select-none sm:h-8"
    >
      <RadixSlider.Track className="relative h-1.5 grow rounded-full bg-sky-700 forced-colors:border">
        <RadixSlider.Range className="absolute h-full rounded-full bg-nova" />
      </RadixSlider.Track>
      <RadixSlider.Thumb
        aria-label={label}
        aria-valuetext={valueText}
        className="block size-5 rounded-full border-2 border-nova bg-ink transition-shadow hover:ring-4 hover:ring-nova/20"
      />
    </RadixSlider.Root>
  );
}
