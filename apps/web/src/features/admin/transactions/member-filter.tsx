import { UserSearch } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { useSettledValue } from '@/shared/api';
import { Button, Field } from '@/shared/ui';
import { PersonSearch } from '../../gifts/person-search';
import { useAdminUsers } from '../use-admin';

/** Keeps the transactions of one member. */
export function MemberFilter({ onChoose }: { onChoose: (userId: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button className="col-span-2 lg:col-span-1" icon={<UserSearch aria-hidden="true" className="size-4" />}>
          One member
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          aria-label="Choose a member"
          className="z-50 w-80 max-w-[calc(100vw-1.5rem)] animate-appear rounded-md border border-line bg-sky-800 p-4 shadow-raised"
        >
          <MemberSearch
            onChoose={(userId) => {
              onChoose(userId);
              setOpen(false);
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function MemberSearch({ onChoose }: { onChoose: (userId: string) => void }) {
  const [text, setText] = useState('');
  const search = useSettledValue(text.trim());
  const users = useAdminUsers({ search, page: 1 });
  return (
    <Field label="Member">
      <PersonSearch
        text={text}
        onTextChange={setText}
        found={users.data?.users}
        isSearchable
        isSearching={users.isFetching}
        error={users.error}
        placeholder="Name or e-mail"
        detailOf={(user) => user.email}
        onChoose={(user) => onChoose(user.id)}
      />
    </Field>
  );
}
