import { ScrollText } from 'lucide-react';
import { Card, Field, Select } from '@/shared/ui';
import { FilterChips } from '../filter-chips';
import { ListBody, SkeletonRows } from '../list-body';
import { MemberFilter } from '../member-filter';
import { Pager } from '../pager';
import { useAddressFilters } from '../use-address-filters';
import { useWideScreen } from '../use-wide-screen';
import { auditActionLabel, auditActions } from './audit-actions';
import { AuditCards } from './audit-cards';
import { AuditTable } from './audit-table';
import { AUDIT_FILTERS, AUDIT_PAGE_SIZE, useAudit, type AuditEntry, type AuditFilterState } from './use-audit';

/** No filter; an option of a select must not be empty (rule screens-15). */
const EVERY_ACTION = 'all';
const ACTION_OPTIONS = [{ value: EVERY_ACTION, label: 'All actions' }, ...auditActions];

/** Everything that admins did: who, what, to whom, when and why (rule admin-2). */
export function AuditSection() {
  const state = useAddressFilters(AUDIT_FILTERS);
  const audit = useAudit(state);
  const isWide = useWideScreen();
  return (
    <Card
      title="Audit"
      description="Everything that admins have done, newest first. Nobody can change this list."
      flush
      aria-busy={audit.isFetching}
    >
      <AuditFilterBar state={state} />
      <AuditChips state={state} entries={audit.data?.entries ?? []} />
      <ListBody
        list={audit}
        failure="The audit could not be loaded."
        empty={{ icon: ScrollText, title: 'Nothing yet', text: 'Everything an admin does is recorded here.' }}
        isFiltered={state.isFiltered}
        onClear={state.clearAll}
        onFirstPage={() => state.goTo(1)}
        skeleton={<SkeletonRows label="Loading the audit" count={AUDIT_PAGE_SIZE} />}
      >
        {(page) => (isWide ? <AuditTable page={page} /> : <AuditCards entries={page.entries} />)}
      </ListBody>
      {audit.data !== undefined && (
        <Pager label="Pages of the audit" pagination={audit.data.pagination} onGoTo={state.goTo} />
      )}
    </Card>
  );
}

function AuditFilterBar({ state }: { state: AuditFilterState }) {
  return (
    <div className="grid grid-cols-2 items-end gap-3 cramped:grid-cols-1 px-4 pb-4 sm:px-6 lg:grid-cols-[20rem_auto_auto_1fr]">
      <Field label="Action" className="col-span-full lg:col-span-1">
        <Select
          options={ACTION_OPTIONS}
          value={state.filters.action === '' ? EVERY_ACTION : state.filters.action}
          onChange={({ target }) => state.set('action', target.value === EVERY_ACTION ? '' : target.value)}
        />
      </Field>
      <MemberFilter label="One admin" onChoose={(id) => state.set('adminId', id)} />
      <MemberFilter label="One member" onChoose={(id) => state.set('targetId', id)} />
    </div>
  );
}

function AuditChips({ state, entries }: { state: AuditFilterState; entries: readonly AuditEntry[] }) {
  const texts: Record<(typeof AUDIT_FILTERS)[number], (value: string) => string> = {
    action: auditActionLabel,
    adminId: (id) => `admin: ${entries.find(({ adminId }) => adminId === id)?.adminName ?? id}`,
    targetId: (id) => `member: ${entries.find(({ targetId }) => targetId === id)?.targetName ?? id}`,
  };
  return <FilterChips state={state} textOf={(name, value) => texts[name](value)} />;
}
