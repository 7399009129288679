import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { AMBITIONS_MAX, MOODS, OCCUPATION_MAX, RELATIONSHIP_STATUSES, STATUS_MAX } from '@app/domain';
import { OptionalChoice, OptionalText } from './profile-fields.js';

/** `POST /api/users/update-profile` (rule profiles-3): what is absent stays as it is; an empty text, or null, takes it away. */
export class SelfDescriptionChangesDto {
  @ApiPropertyOptional({ enum: MOODS, nullable: true })
  @OptionalChoice({ options: MOODS, message: `The mood must be one of ${MOODS.join(', ')}.`, code: 'INVALID_MOOD' })
  mood?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: STATUS_MAX })
  @OptionalText({ max: STATUS_MAX, name: 'The status', code: 'INVALID_STATUS' })
  status?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: OCCUPATION_MAX })
  @OptionalText({ max: OCCUPATION_MAX, name: 'The occupation', code: 'INVALID_OCCUPATION' })
  occupation?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: AMBITIONS_MAX })
  @OptionalText({ max: AMBITIONS_MAX, name: 'The ambitions', code: 'INVALID_AMBITIONS' })
  ambitions?: string | null;

  @ApiPropertyOptional({ enum: RELATIONSHIP_STATUSES, nullable: true })
  @OptionalChoice({
    options: RELATIONSHIP_STATUSES,
    message: `The relationship status must be one of these: ${RELATIONSHIP_STATUSES.join('; ')}.`,
    code: 'INVALID_RELATIONSHIP_STATUS',
  })
  relationshipStatus?: string | null;
}

/** What a member's card says about them. */
export class SelfDescriptionDto {
  @ApiProperty({ enum: MOODS })
  mood: string;
  status: string | null;
  occupation: string | null;
  ambitions: string | null;
  @ApiProperty({ enum: RELATIONSHIP_STATUSES, nullable: true })
  relationshipStatus: string | null;
}

export class SelfDescriptionResponse {
  /** A sentence for people. */
  message: string;
  profile: SelfDescriptionDto;
}
