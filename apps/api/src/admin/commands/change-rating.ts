import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { isolated, MEMBER_RATING_MAX } from '@app/domain';
import { ValidateBy } from 'class-validator';
import { IdentityChanges } from '../../identity/identity-changes.js';
import { notFound } from '../../platform/errors/app-error.js';
import { AdminActs, type ByAdmin } from '../admin-acts.js';
import { ChangedRatingDto } from '../admin.dto.js';
import { AdminUsers } from '../admin-users.js';
import { ReasonDto } from '../reason.dto.js';

/** What a double makes of two decimals. */
const HUNDREDTHS_TOLERANCE = 1e-9;

const isRating = (value: unknown): boolean => {
  if (typeof value !== 'number' || !(value >= 0 && value <= MEMBER_RATING_MAX)) return false;
  return Math.abs(value * 100 - Math.round(value * 100)) < HUNDREDTHS_TOLERANCE;
};

/** A member's rating: a JSON number from 0.00 to 9.99 with at most two decimals (rule ratings-6). */
const IsShownRating = (): PropertyDecorator =>
  ValidateBy(
    { name: 'isShownRating', validator: { validate: isRating } },
    {
      message: 'The rating must be a number from 0.00 to 9.99 with at most 2 decimals.',
      context: { code: 'INVALID_RATING' },
    },
  );

/** `POST /api/admin/users/{id}/change-rating`. */
export class ChangeRatingDto extends ReasonDto {
  @ApiProperty({ minimum: 0, maximum: MEMBER_RATING_MAX, multipleOf: 0.01, example: 8.25 })
  @IsShownRating()
  rating: number;
}

export class ChangeRating extends Command<ChangedRatingDto> {
  constructor(
    readonly userId: string,
    readonly rating: number,
    readonly by: ByAdmin,
  ) {
    super();
  }
}

/** Changes a member's rating. It stands until the next one, which is averaged from it on (rule ratings-6). */
@CommandHandler(ChangeRating)
export class ChangeRatingHandler implements ICommandHandler<ChangeRating> {
  constructor(
    private readonly users: AdminUsers,
    private readonly acts: AdminActs,
    private readonly changes: IdentityChanges,
  ) {}

  /** @throws AppError 404 no such user, 503 */
  async execute({ userId, rating, by }: ChangeRating): Promise<ChangedRatingDto> {
    if (!(await this.users.find(userId))) throw notFound('This user');
    await this.acts.record({ type: 'MemberRatingChanged', targetId: userId, subjectId: null, rating }, by);
    await this.changes.publish({ kind: 'account', accountId: userId });
    const user = await this.users.find(userId);
    if (!user) throw notFound('This user');
    return { user, message: `The rating of ${isolated(user.displayName)} is now ${rating.toFixed(2)}.` };
  }
}
