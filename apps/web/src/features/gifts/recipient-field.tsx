import { useState } from 'react';
import type { Schemas } from '@/shared/api';
import { useSettledValue } from '@/shared/hooks/use-settled-value';
import { ChosenPerson, PersonSearch } from './person-search';
import { isSearchable, useUserSearch } from './use-gifts';

export interface RecipientFieldProps {
  recipient: Schemas['FoundUserDto'] | null;
  disabled: boolean;
  onChoose: (recipient: Schemas['FoundUserDto'] | null) => void;
  onLeave: () => void;
}

/** Finds the one who gets the gift; oneself is never among those found. */
export function RecipientField({ recipient, disabled, onChoose, onLeave }: RecipientFieldProps) {
  const [text, setText] = useState('');
  const query = useSettledValue(text.trim());
  const search = useUserSearch(query);
  if (recipient !== null) {
    return (
      <ChosenPerson
        person={recipient}
        detail={ratingText(recipient)}
        disabled={disabled}
        onClear={() => onChoose(null)}
      />
    );
  }
  return (
    <PersonSearch
      text={text}
      onTextChange={setText}
      onLeave={onLeave}
      found={query === text.trim() ? search.data : undefined}
      isSearchable={isSearchable(text.trim())}
      isSearching={search.isFetching}
      error={search.error}
      placeholder="Search for a member"
      detailOf={ratingText}
      onChoose={onChoose}
    />
  );
}

const ratingText = ({ averageRating }: Schemas['FoundUserDto']): string =>
  averageRating > 0 ? `★ ${averageRating.toFixed(2)}` : 'Not rated yet';
