import type { QueryArrayConfig } from 'pg';
import type { RecordedEvent } from '../port.js';

/** An event as the columns of a row. */
export type EventRow = [
  position: string,
  stream: string,
  revision: number,
  id: string,
  type: string,
  data: string,
  metadata: string,
];

// By a subquery and not by a join, so that no plan can leave the order of the index.
export const STREAM_NAME = '(select s.name from journal.streams s where s.id = e.stream)';
const columns = (streamName: string): string =>
  `e.position, ${streamName}, e.revision, e.id, e.type, e.data, e.metadata`;
export const COLUMNS = columns(STREAM_NAME);
/** @param name a placeholder or a literal */
export const inStream = (name: string): string => `e.stream = (select id from journal.streams where name = ${name})`;
/** Asks for events of the stream whose name is the first parameter; a condition on them or an order may follow. */
export const EVENTS_OF_STREAM = `select ${columns('$1::text')} from journal.events e where ${inStream('$1')}`;

/** Reads a number of events from a revision on, given as any number: one beyond the column's type matches nothing. */
export const eventsFrom = (stream: string, from: number, size: number): QueryArrayConfig => ({
  text: `${EVENTS_OF_STREAM} and e.revision >= $2::bigint order by e.revision limit $3`,
  values: [stream, from, size],
  rowMode: 'array',
});

/**
 * The same of several streams at once, each row behind the place of its stream in the list; the events of each in their order.
 */
export const eventsOfStreams = (
  reads: readonly { readonly stream: string; readonly from: number; readonly size: number }[],
): QueryArrayConfig => ({
  name: 'journal-read-streams',
  text: `select (r.place - 1)::integer, ${columns('r.stream')}
    from unnest($1::text[], $2::bigint[], $3::bigint[]) with ordinality as r (stream, "from", size, place),
    lateral (
      select * from journal.events one
      where one.stream = (select id from journal.streams where name = r.stream) and one.revision >= r."from"
      order by one.revision limit r.size
    ) e order by r.place, e.revision`,
  values: [reads.map(({ stream }) => stream), reads.map(({ from }) => from), reads.map(({ size }) => size)],
  rowMode: 'array',
});

export const recordedEvent = ([position, stream, revision, id, type, data, metadata]: EventRow): RecordedEvent => ({
  id,
  type,
  data,
  metadata,
  stream,
  revision,
  position: BigInt(position),
});
