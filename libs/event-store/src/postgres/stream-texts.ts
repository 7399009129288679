import type { QueryArrayConfig } from 'pg';
import type { RecordedEvent } from '../port.js';

/** So many events come as one text. With the largest that may be appended it is still no longer than a text may be. */
export const EVENTS_PER_TEXT = 100;
const FIELDS_PER_EVENT = 6;
/** What one question about the end of a stream answers. */
const END_MAX = 1_000;

// Reading many events as one text takes a third of what rows take, on both sides: no field that was appended has a line
// break, see `checkAppend`. The inner limit tells the planner how few events the range of revisions has.
const TEXTS = `
  select t.events, t.text
  from generate_series($2::bigint, $2::bigint + $3 - 1, ${EVENTS_PER_TEXT}) first
  cross join lateral (
    select count(*)::integer as events, string_agg(line, E'\\n') as text
    from (
      select concat_ws(E'\\n', e.position, e.revision, e.id, e.type, e.data, e.metadata) as line
      from journal.events e
      where e.stream = (select id from journal.streams where name = $1)
        and e.revision >= first and e.revision < least(first + ${EVENTS_PER_TEXT}, $2::bigint + $3)
      order by e.revision limit ${EVENTS_PER_TEXT}
    ) lines
  ) t
  where t.events > 0 order by first`;
export type TextRow = [events: number, text: string];

/** Asks for so many events of a stream from a revision on; `eventsOfTexts` takes the answer. */
export const textsQuery = (stream: string, from: number, size: number): QueryArrayConfig => ({
  text: TEXTS,
  values: [stream, from, size],
  rowMode: 'array',
});

/** Undefined where somebody changed the table, and the texts do not tell the fields apart. */
export function eventsOfTexts(stream: string, rows: readonly TextRow[]): RecordedEvent[] | undefined {
  const texts = rows.map(([events, text]) => ({ events, fields: text.split('\n') }));
  if (!texts.every(({ events, fields }) => fields.length === events * FIELDS_PER_EVENT)) return undefined;
  return texts.flatMap(({ fields }) => recordedEvents(stream, fields));
}

/** Reads the end of a stream on a connection of its user's, so that it can follow other statements in one exchange. */
export class StreamEnd {
  constructor(private readonly stream: string) {}

  query(from: number): QueryArrayConfig {
    return textsQuery(this.stream, from, END_MAX);
  }

  /** Undefined where the store must be asked: there may be more, or the table was changed. */
  eventsOf(rows: readonly TextRow[]): RecordedEvent[] | undefined {
    const events = eventsOfTexts(this.stream, rows);
    return events && events.length < END_MAX ? events : undefined;
  }
}

function recordedEvents(stream: string, fields: readonly string[]): RecordedEvent[] {
  const field = (at: number): string => fields[at] ?? '';
  return Array.from({ length: fields.length / FIELDS_PER_EVENT }, (_, n) => {
    const at = n * FIELDS_PER_EVENT;
    return {
      id: field(at + 2),
      type: field(at + 3),
      data: field(at + 4),
      metadata: field(at + 5),
      stream,
      revision: Number(field(at + 1)),
      position: BigInt(field(at)),
    };
  });
}
