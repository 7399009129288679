import { Described } from './described';
import type { ApiField } from './open-api';

export interface FieldTableProps {
  title: string;
  note?: string;
  fields: readonly ApiField[];
}

/** Values by name, with their types and meanings. */
export function FieldTable({ title, note, fields }: FieldTableProps) {
  return (
    <section>
      <h4 className="text-sm font-semibold text-ink">{title}</h4>
      {note !== undefined && note !== '' && (
        <p className="mt-0.5 text-xs text-ink-faint">
          <Described text={note} />
        </p>
      )}
      {fields.length > 0 && (
        <dl className="mt-2 divide-y divide-line rounded-md border border-line">
          {fields.map(({ name, type, isRequired, description }) => (
            <div key={name} className="px-3 py-2">
              <dt className="flex flex-wrap items-baseline gap-x-2">
                <span className="font-mono text-xs break-all text-ink">{name}</span>
                <span className="text-xs text-ink-faint">
                  {type}
                  {isRequired ? '' : ', optional'}
                </span>
              </dt>
              {description !== '' && (
                <dd className="mt-0.5 text-xs text-ink-muted">
                  <Described text={description} />
                </dd>
              )}
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
