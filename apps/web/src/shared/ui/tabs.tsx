import { clsx } from 'clsx';
import { Tabs as RadixTabs } from 'radix-ui';
import type { ComponentProps } from 'react';

/** Radix tabs in our style: `Tabs > TabsList > TabsTrigger`, then one `TabsContent` for each value. */
export const Tabs = RadixTabs.Root;

export function TabsList({ className, ...rest }: ComponentProps<typeof RadixTabs.List>) {
  return (
    <RadixTabs.List
      {...rest}
      className={clsx('flex gap-1 overflow-x-auto shadow-[inset_0_-1px_0_var(--color-line)]', className)}
    />
  );
}

export function TabsTrigger({ className, ...rest }: ComponentProps<typeof RadixTabs.Trigger>) {
  return (
    <RadixTabs.Trigger
      {...rest}
      className={clsx(
        'inline-flex min-h-11 items-center gap-2 rounded-t-sm border-b-2 border-transparent px-3 text-sm font-medium whitespace-nowrap text-ink-muted transition-colors',
        'enabled:hover:text-ink data-[state=active]:border-nova data-[state=active]:text-ink disabled:cursor-not-allowed disabled:text-ink-faint',
        'focus-visible:-outline-offset-2',
        className,
      )}
    />
  );
}

export function TabsContent({ className, ...rest }: ComponentProps<typeof RadixTabs.Content>) {
  return <RadixTabs.Content {...rest} className={clsx('pt-4 focus-visible:outline-offset-4', className)} />;
}
