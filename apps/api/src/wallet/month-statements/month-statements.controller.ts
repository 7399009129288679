import { Readable } from 'node:stream';
import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { ApiBadRequestResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CSV_TYPE } from '../../admin/csv.js';
import { NeedsSession } from '../../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../../platform/auth/member.js';
import { ApiBinaryFile, ApiTextFile } from '../../platform/openapi/api-file.js';
import { MONTH_STATEMENT_CSV_EXAMPLE, monthStatementCsv } from './month-statement-csv.js';
import { MonthQueryDto, MonthStatementDto } from './month-statement.dto.js';
import { type MonthStatement, MonthStatements } from './month-statements.js';
import { readMonth } from './month.js';
import { StatementPrinter } from './statement-printer.js';
import { StatementView } from './statement-view.js';

/** Pieces of a file that wait for a slow reader. */
const PIECES_AHEAD = 2;
const NO_SUCH_MONTH = { description: 'This is no month, or it has not begun.' };

/** One's own statement of a month (rules wallet-21, wallet-22). */
@ApiTags('Wallet')
@NeedsSession()
@Controller('api/nova')
export class MonthStatementsController {
  constructor(
    private readonly statements: MonthStatements,
    private readonly view: StatementView,
    private readonly printer: StatementPrinter,
  ) {}

  @ApiOperation({ summary: "One's statement of a month: opening, movements by type, closing" })
  @ApiOkResponse({ type: MonthStatementDto })
  @ApiBadRequestResponse(NO_SUCH_MONTH)
  @Get('statement')
  async statement(@CurrentUser() { id }: SignedInMember, @Query() query: MonthQueryDto): Promise<MonthStatementDto> {
    return this.view.show(await this.statementOf(id, query));
  }

  @ApiOperation({ summary: 'The same with every movement, as CSV' })
  @ApiTextFile({ 'text/csv': MONTH_STATEMENT_CSV_EXAMPLE })
  @ApiBadRequestResponse(NO_SUCH_MONTH)
  @Get('statement.csv')
  async csv(@CurrentUser() { id }: SignedInMember, @Query() query: MonthQueryDto): Promise<StreamableFile> {
    const statement = await this.statementOf(id, query);
    const pieces = monthStatementCsv(statement, this.view.describedRows(statement));
    return new StreamableFile(Readable.from(pieces, { highWaterMark: PIECES_AHEAD }), {
      type: CSV_TYPE,
      disposition: dispositionOf(query, 'csv'),
    });
  }

  @ApiOperation({ summary: 'The same as PDF, for printing' })
  @ApiBinaryFile('application/pdf')
  @ApiBadRequestResponse(NO_SUCH_MONTH)
  @Get('statement.pdf')
  async pdf(@CurrentUser() { id }: SignedInMember, @Query() query: MonthQueryDto): Promise<StreamableFile> {
    const pdf = await this.printer.print(id, async () => this.view.printed(await this.statementOf(id, query)));
    return new StreamableFile(pdf, { type: 'application/pdf', disposition: dispositionOf(query, 'pdf') });
  }

  /** @throws AppError 400, 503 as `MonthStatements.of` */
  private statementOf(memberId: string, query: MonthQueryDto): Promise<MonthStatement> {
    const month = readMonth(query.month);
    if (!month) throw new Error(`validated, and yet no month: ${query.month}`);
    return this.statements.of(memberId, month);
  }
}

const dispositionOf = ({ month }: MonthQueryDto, extension: string): string =>
  `attachment; filename="nova-statement-${month}.${extension}"`;
