import { clsx } from 'clsx';
import { RadioGroup } from 'radix-ui';
import { MOODS, moodOf, type CardMood } from './moods';

/** The seven moods (rule discovery-2). */
export function MoodPicker({ mood, onPick }: { mood: string; onPick: (mood: CardMood['name']) => void }) {
  return (
    <RadioGroup.Root
      aria-label="Mood"
      value={moodOf(mood).name}
      onValueChange={(name) => onPick(moodOf(name).name)}
      className="grid min-h-0 flex-1 grid-cols-2 content-start gap-1.5 overflow-y-auto p-2.5 max-[37.5rem]:grid-cols-3"
    >
      {MOODS.map(({ name, meaning, dot }) => (
        <RadioGroup.Item
          key={name}
          value={name}
          className={clsx(
            'flex min-h-11 min-w-0 wrap-anywhere items-center gap-2 rounded-sm border px-2 text-left text-xs leading-tight transition-colors sm:min-h-10',
            'border-line text-ink-muted hover:border-line-strong data-[state=checked]:border-nova data-[state=checked]:bg-sky-700 data-[state=checked]:text-ink',
          )}
        >
          <span className={clsx('size-3.5 shrink-0 rounded-full', dot)} />
          {meaning}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
