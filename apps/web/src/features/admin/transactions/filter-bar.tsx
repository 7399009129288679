import { Field, Select, TextInput } from '@/shared/ui';
import { transactionTypes } from '../../wallet/transaction-kinds';
import { DayRange } from '../day-range';
import { MemberFilter } from '../member-filter';
import type { TransactionFilterState } from '../use-transaction-filters';

/** No filter; an option of a select must not be empty (rule screens-15). */
const EVERY_TYPE = 'all';
const TYPE_OPTIONS = [{ value: EVERY_TYPE, label: 'All types' }, ...transactionTypes];

/** Search, type, dates and member. What is on shows as chips below and in the address bar. */
export function FilterBar({ state }: { state: TransactionFilterState }) {
  const { filters } = state;
  return (
    <div className="grid grid-cols-2 items-end gap-3 px-4 pb-4 sm:px-6 lg:grid-cols-[2fr_1.5fr_1fr_1fr_auto] print:hidden">
      <Field label="Search transactions" className="col-span-2 lg:col-span-1">
        <TextInput
          type="search"
          autoComplete="off"
          placeholder="Name or e-mail"
          value={state.searchText}
          onChange={(event) => state.type(event.target.value)}
        />
      </Field>
      <Field label="Type" className="col-span-2 lg:col-span-1">
        <Select
          options={TYPE_OPTIONS}
          value={filters.type === '' ? EVERY_TYPE : filters.type}
          onChange={({ target }) => state.set('type', target.value === EVERY_TYPE ? '' : target.value)}
        />
      </Field>
      <DayRange
        from={filters.startDate}
        to={filters.endDate}
        onFrom={(day) => state.set('startDate', day)}
        onTo={(day) => state.set('endDate', day)}
      />
      <MemberFilter
        label="One member"
        className="col-span-2 lg:col-span-1"
        onChoose={(userId) => state.set('userId', userId)}
      />
    </div>
  );
}
