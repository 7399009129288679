import { Field, Select, TextInput } from '@/shared/ui';
import type { GalleryFilterState } from './use-gallery';

/** No filter; an option of a select must not be empty (rule screens-15). */
const EVERY_KIND = 'all';
const KINDS = [
  { value: EVERY_KIND, label: 'Images and videos' },
  { value: 'image', label: 'Images' },
  { value: 'video', label: 'Videos' },
];

export const kindLabel = (kind: string): string => KINDS.find(({ value }) => value === kind)?.label ?? kind;

export function GalleryFilterBar({ state }: { state: GalleryFilterState }) {
  const { contentType } = state.filters;
  return (
    <div className="grid grid-cols-1 items-end gap-3 px-4 pb-4 sm:grid-cols-[2fr_1fr] sm:px-6 lg:max-w-2xl">
      <Field label="Search content">
        <TextInput
          type="search"
          autoComplete="off"
          placeholder="Member, e-mail, caption or #tag"
          value={state.searchText}
          onChange={({ target }) => state.type(target.value)}
        />
      </Field>
      <Field label="Kind">
        <Select
          options={KINDS}
          value={contentType === '' ? EVERY_KIND : contentType}
          onChange={({ target }) => state.set('contentType', target.value === EVERY_KIND ? '' : target.value)}
        />
      </Field>
    </div>
  );
}
