import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import type { ApiCall, ApiField } from './open-api';
import { SampleTabs } from './sample-tabs';
import { type SampleContext, samplesOf } from './samples';

/** One call; pressing it opens its parameters, answers and samples. */
export function CallCard({ call, context }: { call: ApiCall; context: SampleContext }) {
  const [isOpen, setOpen] = useState(false);
  const panelId = useId();
  return (
    <>
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? panelId : undefined}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-14 w-full flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 text-left transition-colors hover:bg-sky-700/40 focus-visible:-outline-offset-2 sm:px-6"
        >
          <MethodMark method={call.method} />
          <span className="font-mono text-sm break-all text-ink">{call.path}</span>
          <span className="basis-full text-sm text-ink-muted sm:ml-auto sm:basis-auto">{call.summary}</span>
          <ChevronDown
            aria-hidden="true"
            className={clsx(
              'ml-auto hidden size-4 shrink-0 text-ink-faint transition-transform sm:ml-0 sm:block',
              isOpen && 'rotate-180',
            )}
          />
        </button>
      </h3>
      {isOpen && (
        <div
          id={panelId}
          className="grid animate-appear grid-cols-1 gap-6 border-t border-line bg-sky-950/40 px-4 py-5 sm:px-6 xl:grid-cols-2"
        >
          <Contract call={call} />
          <SampleTabs label={`${call.method} ${call.path}`} samples={samplesOf(call, context)} />
        </div>
      )}
    </>
  );
}

export function MethodMark({ method }: { method: string }) {
  return (
    <span
      className={clsx(
        'inline-grid min-w-14 place-items-center rounded-sm border border-line px-2 py-0.5 font-mono text-xs font-semibold',
        method === 'GET' ? 'text-gain' : 'text-nova',
      )}
    >
      {method}
    </span>
  );
}

/** The parameters and answers of the call. */
function Contract({ call }: { call: ApiCall }) {
  const { description, parameters, body, answers } = call;
  return (
    <div className="grid min-w-0 grid-cols-1 content-start gap-5">
      {description !== '' && (
        <p className="text-sm text-ink-muted">
          <Described text={description} />
        </p>
      )}
      {parameters.length > 0 && (
        <FieldTable
          title="Parameters"
          fields={parameters.map(({ place, ...field }) => ({ ...field, type: `${field.type}, ${place}` }))}
        />
      )}
      {body !== null && <FieldTable title="Body" note={body.contentType} fields={body.fields} />}
      {answers.map(({ status, description: text, fields }) => (
        <FieldTable
          key={status}
          title={status === 'default' ? 'Refused' : `Answer ${status}`}
          note={text}
          fields={fields}
        />
      ))}
    </div>
  );
}

interface FieldTableProps {
  title: string;
  note?: string;
  fields: readonly ApiField[];
}

/** Values by name, with their types and meanings. */
function FieldTable({ title, note, fields }: FieldTableProps) {
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
                <span className="text-xs text-ink-faint">{isRequired ? type : `${type}, optional`}</span>
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

/** A sentence of the document; words between backticks are shown as code. */
function Described({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // The parts have no identity other than their position.
      <code key={`${index} ${part}`} className="font-mono text-[0.92em] text-ink">
        {part}
      </code>
    ),
  );
}
