import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiAcceptedResponse, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type Approval, REASON_MAX } from '@app/domain';
import type { FastifyReply } from 'fastify';
import { IsIn, IsNotEmpty, IsOptional } from 'class-validator';
import { map, type Observable } from 'rxjs';
import { MemberText } from '../../platform/text.js';
import { Limit } from '../../wallet/paging.dto.js';
import { PaginationDto } from '../admin.dto.js';
import { PageDto } from '../page.dto.js';

/** `expired`: nobody approved it in time. `approved`: it is being carried out. `refused`: approved, and it could not be done. */
export const APPROVAL_STATUSES = ['waiting', 'expired', 'approved', 'declined', 'done', 'refused'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

const WAITS = 'This needs a second admin. Nothing has happened yet: it waits under Approvals.';
const SENTENCES: Readonly<Record<Approval['status'], string>> = {
  waiting: WAITS,
  approved: 'A second admin approved this. It is being carried out.',
  declined: 'Another admin declined this. Nothing has happened.',
  done: 'A second admin approved this, and it is done.',
  refused: 'A second admin approved this, but it could not be done.',
};

/** The answer 202 to an act that waits for a second admin. */
export class WaitingActDto {
  @ApiProperty({ enum: ['WAITING'] })
  code: 'WAITING';

  @ApiProperty({ format: 'uuid', description: 'Of the act: `GET /api/admin/approvals/{id}` says what became of it.' })
  id: string;

  @ApiProperty({ enum: APPROVAL_STATUSES, enumName: 'ApprovalStatus' })
  status: ApprovalStatus;

  @ApiProperty({ example: WAITS })
  message: string;

  @ApiProperty({ format: 'date-time', description: 'From then on nobody approves it.' })
  expiresAt: string;

  static of({ request, status }: Approval): WaitingActDto {
    const { subjectId, expiresAt } = request;
    return Object.assign(new WaitingActDto(), {
      code: 'WAITING',
      id: subjectId ?? '',
      status,
      message: SENTENCES[status],
      expiresAt: new Date(expiresAt).toISOString(),
    } as const);
  }
}

@Injectable()
class AnswersAccepted implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      map((answer: unknown) => {
        if (answer instanceof WaitingActDto) context.switchToHttp().getResponse<FastifyReply>().status(202);
        return answer;
      }),
    );
  }
}

/** A call whose act may wait for a second admin: then it answers 202 with a `WaitingActDto`. */
export const MayWait = (): MethodDecorator =>
  applyDecorators(
    UseInterceptors(AnswersAccepted),
    ApiAcceptedResponse({ type: WaitingActDto, description: 'The act waits for a second admin.' }),
  );

export class ApprovalPersonDto {
  id: string;
  displayName: string;
}

/** An act that waits, or waited, for a second admin. */
export class ApprovalDto {
  id: string;

  @ApiProperty({
    description: 'Which act: `grant`, `deduction`, `bulk`, `reversal`, `make-admin`, `unmake-admin`, `controls`.',
    example: 'grant',
  })
  kind: string;

  @ApiProperty({ enum: APPROVAL_STATUSES, enumName: 'ApprovalStatus' })
  status: ApprovalStatus;

  @ApiProperty({ description: 'Who asked for it.' })
  admin: ApprovalPersonDto;

  @ApiProperty({
    type: ApprovalPersonDto,
    nullable: true,
    description: 'The member whom it concerns; null for none, or many.',
  })
  target: ApprovalPersonDto | null;

  @ApiProperty({ type: Number, nullable: true, description: 'Nova.' })
  amount: number | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'What else belongs to it: of a bulk its rows, of limits the new ones in Nova.',
  })
  details: Record<string, unknown>;

  @ApiProperty({ type: String, nullable: true })
  reason: string | null;

  @ApiProperty({ format: 'date-time' })
  requestedAt: string;

  @ApiProperty({ format: 'date-time' })
  expiresAt: string;

  @ApiProperty({ type: ApprovalPersonDto, nullable: true, description: 'Who approved or declined it.' })
  decidedBy: ApprovalPersonDto | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  decidedAt: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why it was declined.' })
  decisionReason: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The event of the ledger, once it is done.' })
  eventId: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why the approved act could not be done, as a stable word.',
  })
  refusal: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The same as a sentence.' })
  message: string | null;
}

export class ApprovalsQueryDto extends PageDto {
  @ApiPropertyOptional({ enum: ['waiting', 'all'], default: 'waiting' })
  @IsIn(['waiting', 'all'], { message: 'status must be waiting or all.' })
  @IsOptional()
  status: 'waiting' | 'all' = 'waiting';

  @Limit()
  limit: number = 20;
}

export class ApprovalsDto {
  approvals: ApprovalDto[];

  @ApiProperty({ type: 'integer', description: 'Acts that wait now, whatever the list shows.' })
  waiting: number;

  pagination: PaginationDto;
}

export class DeclineActDto {
  @ApiProperty({ maxLength: REASON_MAX, description: 'Kept apart from the journal, so that it can be erased.' })
  @MemberText({ max: REASON_MAX }, { message: `The reason must be at most ${REASON_MAX} characters.` })
  @IsNotEmpty({ message: 'Please say why.', context: { code: 'REQUIRED' } })
  reason: string;
}
