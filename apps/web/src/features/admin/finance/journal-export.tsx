import { useState } from 'react';
import { Card, Field, Select, Textarea } from '@/shared/ui';
import { DayRange } from '../day-range';
import { DownloadButton } from '@/shared/downloads';
import { useAddressFilters } from '../use-address-filters';
import { EXPORT_FORMATS, exportProgress } from './export-progress';
import { exportPath } from './use-finance';

const FILTERS = ['format', 'from', 'to'] as const;

/** Exports a period for other programs. */
export function JournalExport() {
  const state = useAddressFilters(FILTERS);
  const [mapping, setMapping] = useState('');
  const { from, to } = state.filters;
  const shown = EXPORT_FORMATS.find(({ value }) => value === state.filters.format) ?? EXPORT_FORMATS[0];
  const { value: format, hasDollars } = shown;
  const accounts = format === 'postings' && mapping.trim() !== '' ? { accounts: mapping } : {};
  const days = hasDollars ? 'Days are those of the books’ time zone' : 'Days are UTC';
  return (
    <Card title="Export" description={`${shown.about} ${days} and included in full.`}>
      <div className="grid grid-cols-2 items-end gap-4 lg:grid-cols-[14rem_12rem_12rem_1fr]">
        <Field label="Format" className="col-span-2 lg:col-span-1">
          <Select
            options={EXPORT_FORMATS}
            value={format}
            onChange={({ target }) => state.set('format', target.value)}
          />
        </Field>
        <DayRange
          from={from}
          to={to}
          zone={hasDollars ? undefined : 'UTC'}
          onFrom={(day) => state.set('from', day)}
          onTo={(day) => state.set('to', day)}
        />
        {format === 'postings' && (
          <Field
            label="Your account numbers (optional)"
            hint="One line for each dollar account, such as assets:bank,1200."
            className="col-span-2 lg:order-last lg:col-span-4"
          >
            <Textarea value={mapping} onChange={({ target }) => setMapping(target.value)} />
          </Field>
        )}
        <div className="col-span-2 lg:col-span-1">
          <DownloadButton
            label="Export"
            variant="primary"
            path={exportPath({ format, from, to, ...accounts })}
            fallbackName={`nova-journal.${format}`}
            progressOf={(response) => exportProgress(format, response)}
            failure="The journal could not be exported."
          />
        </div>
      </div>
    </Card>
  );
}
