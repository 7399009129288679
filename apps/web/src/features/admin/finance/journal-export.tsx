import { Card, Field, Select, TextInput } from '@/shared/ui';
import { DownloadButton } from '../download-button';
import { useAddressFilters } from '../use-address-filters';
import { EXPORT_FORMATS, exportProgress } from './export-progress';
import { exportPath } from './use-finance';

const FILTERS = ['format', 'from', 'to'] as const;

/** The journal's events for other programs. */
export function JournalExport() {
  const state = useAddressFilters(FILTERS);
  const { from, to } = state.filters;
  const format = EXPORT_FORMATS.find(({ value }) => value === state.filters.format)?.value ?? 'hledger';
  return (
    <Card
      title="Export"
      description="Every event of a period with its entries and its hash, for accounting programs and auditors. Days are UTC and count whole. A whole export as JSON lines can be imported into an empty system."
    >
      <div className="grid grid-cols-2 items-end gap-4 lg:grid-cols-[14rem_12rem_12rem_1fr]">
        <Field label="Format" className="col-span-2 lg:col-span-1">
          <Select
            options={EXPORT_FORMATS}
            value={format}
            onChange={({ target }) => state.set('format', target.value)}
          />
        </Field>
        <Field label="From (UTC)">
          <TextInput
            type="date"
            value={from}
            {...(to !== '' && { max: to })}
            onChange={({ target }) => state.set('from', target.value)}
          />
        </Field>
        <Field label="To (UTC)">
          <TextInput
            type="date"
            value={to}
            {...(from !== '' && { min: from })}
            onChange={({ target }) => state.set('to', target.value)}
          />
        </Field>
        <div className="col-span-2 lg:col-span-1">
          <DownloadButton
            label="Export"
            variant="primary"
            path={exportPath({ format, from, to })}
            fallbackName={`nova-journal.${format}`}
            progressOf={(response) => exportProgress(format, response)}
            failure="The journal could not be exported."
          />
        </div>
      </div>
    </Card>
  );
}
