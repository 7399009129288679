import { ApiProperty } from '@nestjs/swagger';
import { STATEMENT_TYPES, type StatementType } from '@app/domain';
import { ValidateBy } from 'class-validator';
import { MomentDto, OpeningClosingDto, StatementLineDto } from '../../finance/books.dto.js';
import { readMonth } from './month.js';

/** A month of the calendar, in UTC. */
export class MonthQueryDto {
  @ApiProperty({ example: '2026-11', description: 'Year and month, in UTC.' })
  @ValidateBy(
    { name: 'isMonth', validator: { validate: (value: unknown) => readMonth(value) !== undefined } },
    { message: 'The month must be one such as 2026-01.', context: { code: 'INVALID_MONTH' } },
  )
  month: string;
}

/** The movements of one type. */
export class StatementGroupDto {
  @ApiProperty({ enum: STATEMENT_TYPES })
  type: StatementType;

  @ApiProperty({ type: 'integer' })
  count: number;

  @ApiProperty({ description: "Nova, signed from the member's side.", example: -1000 })
  amount: number;
}

/** `GET /api/nova/statement`. Nova: opening + groups + accrued = closing. */
export class MonthStatementDto {
  @ApiProperty({ example: '2026-11' })
  month: string;

  @ApiProperty({ description: 'False while the month lasts: the statement says what happened so far.' })
  isOver: boolean;

  @ApiProperty({ description: 'The journal just before the month.' })
  opening: MomentDto;

  @ApiProperty({ description: 'The journal at the end of the month, or now.' })
  closing: MomentDto;

  @ApiProperty({ type: OpeningClosingDto, description: 'The Nova balance: purchased + earned + owed.' })
  nova: OpeningClosingDto;

  @ApiProperty({ type: [StatementGroupDto], description: 'Movements of purchased and earned Nova.' })
  groups: StatementGroupDto[];

  @ApiProperty({ description: 'The change of what reward pools owe.' })
  accrued: number;

  @ApiProperty({ type: [StatementLineDto], description: 'Every account of the member, tokens included.' })
  accounts: StatementLineDto[];
}
