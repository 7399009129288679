import { Search, X } from 'lucide-react';
import { useRef, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react';
import { errorSentence } from '@/shared/api';
import { Avatar, Button, Spinner, TextInput, useFieldControl } from '@/shared/ui';

export interface Person {
  id: string;
  displayName: string;
  profileImageUrl: string | null;
}

export interface PersonSearchProps<T extends Person> {
  text: string;
  onTextChange: (text: string) => void;
  /** Called when the focus leaves the field and its results. */
  onLeave?: () => void;
  /** The results; undefined until an answer is there. */
  found: readonly T[] | undefined;
  /** The text is long enough for a search. */
  isSearchable: boolean;
  isSearching: boolean;
  error: unknown;
  placeholder?: string;
  /** A second line for each person: a rating or an e-mail address. */
  detailOf: (person: T) => string;
  onChoose: (person: T) => void;
}

/** A text field that finds people: arrow keys move through the results, Enter chooses one. */
export function PersonSearch<T extends Person>(props: PersonSearchProps<T>) {
  const { text, onTextChange, onLeave, found, isSearchable, isSearching, error, placeholder, detailOf, onChoose } =
    props;
  const box = useRef<HTMLDivElement>(null);
  const people = isSearchable ? (found ?? []) : [];

  const onBlur = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) onLeave?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') moveFocus(box.current, 1);
    else if (event.key === 'ArrowUp') moveFocus(box.current, -1);
    else if (event.key !== 'Enter' || event.target instanceof HTMLButtonElement) return;
    // Enter in the field never submits the surrounding form.
    event.preventDefault();
    if (event.key === 'Enter' && people[0] !== undefined) onChoose(people[0]);
  };
  return (
    <div ref={box} role="presentation" onBlur={onBlur} onKeyDown={onKeyDown}>
      <SearchInput text={text} isSearching={isSearching} placeholder={placeholder} onTextChange={onTextChange} />
      <output className="block text-sm text-ink-muted">
        {noteOf({ text, error, count: isSearchable && !isSearching ? found?.length : undefined })}
      </output>
      {people.length > 0 && (
        <ul aria-label="People found" className="mt-1 max-h-56 overflow-y-auto p-0.5">
          {people.map((person) => (
            <li key={person.id}>
              <button
                type="button"
                // The field keeps the focus until the choice is made, so that it does not show an error in between.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onChoose(person)}
                className="flex min-h-12 w-full items-center gap-3 rounded-sm px-3 py-2 text-left hover:bg-sky-700 focus-visible:bg-sky-700"
              >
                <PersonLine person={person} detail={detailOf(person)} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const focusables = (box: HTMLElement | null): HTMLElement[] => [
  ...(box?.querySelectorAll<HTMLElement>('input, button') ?? []),
];

function moveFocus(box: HTMLElement | null, step: number): void {
  const stops = focusables(box);
  const current = stops.findIndex((stop) => stop === document.activeElement);
  stops[Math.min(Math.max(current + step, 0), stops.length - 1)]?.focus();
}

interface SearchInputProps {
  text: string;
  isSearching: boolean;
  placeholder: string | undefined;
  onTextChange: (text: string) => void;
}

function SearchInput({ text, isSearching, placeholder, onTextChange }: SearchInputProps) {
  return (
    <div className="relative">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-faint"
      />
      <TextInput
        {...useFieldControl()}
        type="search"
        autoComplete="off"
        spellCheck={false}
        className="px-9 [&::-webkit-search-cancel-button]:hidden"
        placeholder={placeholder}
        value={text}
        onChange={(event) => onTextChange(event.target.value)}
      />
      {isSearching && (
        <span className="absolute inset-y-0 right-3 grid place-items-center text-ink-faint">
          <Spinner />
        </span>
      )}
    </div>
  );
}

/**
 * One sentence about the search, announced politely: no results, or why it failed. Only screen readers hear the count.
 */
function noteOf({ text, error, count }: { text: string; error: unknown; count: number | undefined }): ReactNode {
  if (error !== null) return <Note>{errorSentence(error, 'The search failed. Change the text to try again.')}</Note>;
  if (count === undefined) return null;
  if (count === 0) return <Note>Nobody found for “{text.trim()}”.</Note>;
  return <span className="sr-only">{count === 1 ? '1 person found' : `${count} people found`}</span>;
}

function Note({ children }: { children: ReactNode }) {
  return <span className="block px-3 py-2">{children}</span>;
}

function PersonLine({ person, detail }: { person: Person; detail: string }) {
  return (
    <>
      <Avatar size="sm" name={person.displayName} src={person.profileImageUrl} />
      <span className="min-w-0 flex-1">
        <bdi className="block truncate text-left text-sm font-medium text-ink">{person.displayName}</bdi>
        <span className="block truncate text-xs text-ink-faint tabular-nums">{detail}</span>
      </span>
    </>
  );
}

export interface ChosenPersonProps {
  person: Person;
  detail: string;
  disabled?: boolean;
  onClear: () => void;
}

/** The chosen person, with a way to choose another. */
export function ChosenPerson({ person, detail, disabled = false, onClear }: ChosenPersonProps) {
  return (
    <div className="flex min-h-12 items-center gap-3 rounded-sm border border-line-strong bg-sky-700/60 py-1.5 pr-1.5 pl-3">
      <PersonLine person={person} detail={detail} />
      <Button
        {...useFieldControl()}
        variant="ghost"
        size="icon"
        disabled={disabled}
        aria-label={`Choose someone other than ${person.displayName}`}
        onClick={onClear}
      >
        <X aria-hidden="true" className="size-4" />
      </Button>
    </div>
  );
}
