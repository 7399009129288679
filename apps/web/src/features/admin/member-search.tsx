import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiFetch, queryKeys, type AdminUser, type AdminUserPage } from '@/shared/api';
import { useSettledValue } from '@/shared/hooks/use-settled-value';
import { Field } from '@/shared/ui';
import { PersonSearch } from '../gifts/person-search';

const FOUND_MAX = 10;

/** Finds a member by name or e-mail, as admins may. */
export function MemberSearch({ label = 'Member', onChoose }: { label?: string; onChoose: (user: AdminUser) => void }) {
  const [text, setText] = useState('');
  const search = useSettledValue(text.trim());
  const users = useQuery({
    queryKey: [...queryKeys.admin, 'users', { found: search }],
    queryFn({ signal }) {
      const query = new URLSearchParams({ limit: String(FOUND_MAX), search });
      return apiFetch<AdminUserPage>(`/api/admin/users?${query}`, { signal });
    },
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
