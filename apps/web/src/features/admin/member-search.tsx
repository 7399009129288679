import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, queryKeys } from '@/shared/api';
import { useSettledValue } from '@/shared/hooks/use-settled-value';
import { Field } from '@/shared/ui';
import { PersonSearch } from '../gifts/person-search';
import type { AdminUser } from './use-admin';

const FOUND_MAX = 10;

/** Finds a member by name or e-mail; admins may search both. */
export function MemberSearch({ label = 'Member', onChoose }: { label?: string; onChoose: (user: AdminUser) => void }) {
  const [text, setText] = useState('');
  const search = useSettledValue(text.trim());
  const users = useQuery({
    queryKey: [...queryKeys.admin, 'users', { found: search }],
    queryFn: ({ signal }) => api.get('/api/admin/users', { query: { limit: FOUND_MAX, search }, signal }),
    enabled: search !== '',
    refetchOnMount: 'always',
  });
  return (
    <Field label={label}>
      <PersonSearch
        text={text}
        onTextChange={setText}
        found={users.data?.users}
        isSearchable={search !== ''}
        isSearching={users.isFetching}
        error={users.error}
        placeholder="Name or e-mail"
        detailOf={(user) => user.email}
        onChoose={onChoose}
      />
    </Field>
  );
}
