import { Readable } from 'node:stream';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { DELETED_MEMBER, descriptionSql, type RowRendering } from '@app/projections';
import { ReadModels } from '../../wallet/read-models.js';
import { csvHeader, sentenceCellSql, textCellSql } from '../csv.js';
import { type TransactionFilterDto, toStatementFilter } from '../transaction-filter.dto.js';

/** Multiplied, the result has two decimals by itself. */
const novaSql = (minor: string): string => `${minor} * 0.01`;

/**
 * Joins who stands in a column of `r`, a closed account without its words. Ids of the journal are UUIDs or name nobody. With its
 * limit the member is looked up by index for each row: the planner would rather read all accounts for every batch.
 */
const memberJoin = (name: string, id: string): string => `
  left join lateral (
    select a.display_name, a.email from member_directory a
    where a.id = case when length(${id}) = 36 then ${id}::uuid end and a.closed_at is null limit 1) ${name} on true`;

const DESCRIPTION = descriptionSql({
  type: 'r.type',
  clientId: 'r.client_id',
  member: 'party.display_name',
  application: 'application.name',
  quest: 'quest.title',
});

/** Columns and what Postgres makes of a row `r` for them. */
const CELLS: Readonly<Record<string, string>> = {
  Date: `to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  Type: 'r.type',
  Amount: novaSql('r.amount'),
  'Balance After': novaSql('r.balance'),
  Shortfall: novaSql('r.shortfall'),
  User: textCellSql(`coalesce(owner.display_name, '${DELETED_MEMBER}')`),
  Email: textCellSql(`coalesce(owner.email, '')`),
  Description: sentenceCellSql(`(${DESCRIPTION})`),
  Counterparty: textCellSql(
    `case when r.counterparty_id is null then '' else coalesce(party.display_name, '${DELETED_MEMBER}') end`,
  ),
  'User ID': 'r.user_id',
  'Transaction ID': `r.revision || '-' || r.idx`,
  'Event ID': 'r.event_id',
  // The event that this one took back.
  Reverses: `case when r.type like '%\\_reversed' then r.subject else '' end`,
};

/** For the description of the API. */
export const TRANSACTIONS_CSV_EXAMPLE = `${Object.keys(CELLS).join(',')}\r\n2026-11-27T12:00:00.000Z,gift_send,-1000.00,250.00,0.00,"Ada","ada@example.com","Gift to Ben","Ben",0190a8c4-7d3e-7b6f-8a51-2f0c9d7e6b14,42-0,0000002a-002a-8c1d-9e2f-3a4b5c6d7e8f,\r\n`;

const LINES: RowRendering = {
  line: `${Object.values(CELLS).join(` || ',' || `)} || E'\\r\\n'`,
  joins: `${memberJoin('owner', 'r.user_id')}${memberJoin('party', 'r.counterparty_id')}
  left join application_directory application on application.client_id = r.client_id
  left join quest_directory quest on r.type = 'quest_reward' and quest.id::text = r.subject`,
};

export class ExportTransactions extends Query<Readable> {
  constructor(readonly filter: TransactionFilterDto) {
    super();
  }
}

/**
 * `GET /api/admin/transactions.csv` (rule admin-14): the rows of the list, all of them, as fast as the reader takes them. The database
 * writes the lines: made here, a million of them would keep members waiting behind each other and memory growing.
 */
@QueryHandler(ExportTransactions)
export class ExportTransactionsHandler implements IQueryHandler<ExportTransactions> {
  constructor(private readonly readModels: ReadModels) {}

  /** The first batch is read before anything is answered: what is wrong by then is an error, not half a file. */
  async execute({ filter }: ExportTransactions): Promise<Readable> {
    const lines = this.readModels.statement.text(toStatementFilter(filter), LINES);
    const first = await lines.next();
    // Batches stay text until the socket takes them: a buffer for each would live until the next collection.
    return Readable.from(headedBy(csvHeader(Object.keys(CELLS)), first, lines), { highWaterMark: 1 });
  }
}

async function* headedBy(
  header: string,
  first: IteratorResult<string, void>,
  rest: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<string, void, undefined> {
  yield header;
  if (first.done) return;
  yield first.value;
  yield* rest;
}
