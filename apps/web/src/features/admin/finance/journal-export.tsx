import { Card, Field, Select } from '@/shared/ui';
import { DayRange } from '../day-range';
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
      description="Every event of a period with its entries and its hash, for accounting programs and auditors. Days are UTC and included in full. A complete export as JSON lines can be imported into an empty system."
    >
      <div className="grid grid-cols-2 items-end gap-4 lg:grid-cols-[14rem_12rem_12rem_1fr]">
        <Field label="Format" className="col-span-2 lg:col-span-1">
          <Select
            options={EXPORT_FORMATS}
            value={format}
            onChange={({ target }) => state.set('format', target.value)}
          />
        </Field>
        <DayRange from={from} to={to} onFrom={(day) => state.set('from', day)} onTo={(day) => state.set('to', day)} />
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
