import { UserSearch } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { Button } from '@/shared/ui';
import { MemberSearch } from './member-search';

export interface MemberFilterProps {
  /** The button's label: "One member". */
  label: string;
  className?: string;
  onChoose: (userId: string) => void;
}

/** Filters a list by one member. */
export function MemberFilter({ label, className, onChoose }: MemberFilterProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button className={className} icon={<UserSearch aria-hidden="true" className="size-4" />}>
          {label}
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
            onChoose={({ id }) => {
              onChoose(id);
              setOpen(false);
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
