import { Columns3 } from 'lucide-react';
import { Popover } from 'radix-ui';
import { Button, Checkbox } from '@/shared/ui';
import type { ColumnState } from './use-columns';

export function ColumnChoice({ columns }: { columns: ColumnState }) {
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button variant="ghost" icon={<Columns3 aria-hidden="true" className="size-4" />}>
          Columns
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          aria-label="Columns"
          className="z-50 grid animate-appear gap-4 rounded-md border border-line bg-sky-800 p-5 shadow-raised"
        >
          {columns.choices.map(({ id, title, isShown, isFixed }) => (
            <Checkbox
              key={id}
              label={title}
              checked={isShown}
              disabled={isFixed}
              onCheckedChange={() => columns.toggle(id)}
            />
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
