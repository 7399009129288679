import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card, EmptyState, PageHeader } from '@/shared/ui';

export interface AreaPageProps {
  title: string;
  backTo: string;
  icon: LucideIcon;
  emptyTitle: string;
  emptyText: string;
  action?: ReactNode;
}

/** A page that has nothing to list yet: its title, its way back, and what belongs on it. */
export function AreaPage({ title, backTo, icon, emptyTitle, emptyText, action }: AreaPageProps) {
  return (
    <>
      <PageHeader title={title} backTo={backTo} />
      <Card>
        <EmptyState icon={icon} title={emptyTitle} text={emptyText} action={action} />
      </Card>
    </>
  );
}
