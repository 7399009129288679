import { RELATIONSHIP_STATUSES } from '@app/domain';
import { cappedAt, Field, Select, Textarea, TextInput } from '@/shared/ui';
import { WORDS_MAX, type OwnWords } from './use-own-card';

/** Stands for saying nothing: an option may not have an empty value (rule screens-15). */
const NOT_SAID = 'none';

const OPTIONS = [
  { value: NOT_SAID, label: 'Not said' },
  ...RELATIONSHIP_STATUSES.map((relationship) => ({ value: relationship, label: relationship })),
];

export interface AboutFieldsProps {
  words: OwnWords;
  onChange: (changed: Partial<OwnWords>) => void;
}

/** Status, occupation, ambitions and relationship status, each no longer than it may be (rule discovery-3). */
export function AboutFields({ words, onChange }: AboutFieldsProps) {
  const text = (field: keyof typeof WORDS_MAX) => ({
    dir: 'auto' as const,
    value: words[field] ?? '',
    onChange: (event: { target: { value: string } }) =>
      onChange({ [field]: cappedAt(event.target.value, WORDS_MAX[field]) }),
  });
  const left = (field: keyof typeof WORDS_MAX) => (
    <span className="text-xs text-ink-faint tabular-nums">
      {Array.from(words[field] ?? '').length}/{WORDS_MAX[field]}
    </span>
  );
  return (
    <div className="grid min-h-0 flex-1 grid-cols-1 gap-3 overflow-y-auto p-3">
      <Field label="Status" aside={left('status')}>
        <Textarea rows={2} {...text('status')} />
      </Field>
      <Field label="Occupation" aside={left('occupation')}>
        <TextInput {...text('occupation')} />
      </Field>
      <Field label="Ambitions" aside={left('ambitions')}>
        <Textarea rows={3} {...text('ambitions')} />
      </Field>
      <Field label="Relationship status">
        <Select
          options={OPTIONS}
          value={words.relationshipStatus ?? NOT_SAID}
          onChange={({ target: { value } }) =>
            onChange({ relationshipStatus: RELATIONSHIP_STATUSES.find((each) => each === value) ?? null })
          }
        />
      </Field>
    </div>
  );
}
