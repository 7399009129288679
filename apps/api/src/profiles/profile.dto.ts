import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ProfileCardContentDto } from '../identity/current-user.dto.js';
import { BIO_MAX, DISPLAY_NAME_MAX, LOCATION_MAX, WEBSITE_MAX } from '@app/domain';
import { DisplayNameField } from '../identity/credentials.dto.js';
import { OptionalText, WebsiteField, WhenGiven } from './profile-fields.js';

/** `PATCH /api/profile` (rule profiles-2): what is absent stays as it is; an empty text, or null, takes it away. */
export class ProfileChangesDto {
  @ApiPropertyOptional({ maxLength: DISPLAY_NAME_MAX })
  @DisplayNameField('Please enter a display name.')
  @WhenGiven()
  displayName?: string;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: BIO_MAX })
  @OptionalText({ max: BIO_MAX, name: 'The bio', code: 'INVALID_BIO' })
  bio?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: LOCATION_MAX })
  @OptionalText({ max: LOCATION_MAX, name: 'The location', code: 'INVALID_LOCATION' })
  location?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: WEBSITE_MAX, example: 'https://example.com' })
  @WebsiteField()
  website?: string | null;
}

/** One's own profile (rule profiles-1). */
export class ProfileDto {
  id: string;
  displayName: string;
  bio: string | null;
  location: string | null;
  website: string | null;
  email: string;
  profileImageUrl: string | null;
  profileCardThumbnailUrl: string | null;
  profileCardContent: ProfileCardContentDto | null;
  profileCardContentId: string | null;
  isOnline: boolean;
  allowDirectChats: boolean;
  /** US dollars. */
  minimumChatPrice: number;
  /** 0.00 to 9.99; 5 while nobody has rated. */
  averageRating: number;
  ratingCount: number;
  /** Percent of the chats accepted as host that were successful; 95 while there are none. */
  @ApiProperty({ minimum: 0, maximum: 100 })
  successRate: number;
  /** From request to acceptance, on average; 2 while there are none. */
  responseTimeMinutes: number;
  completedChats: number;
  /** All Nova ever earned from chats, gifts, cards and posts. */
  totalEarnings: number;
  @ApiProperty({ example: 'blue' })
  mood: string;
  status: string | null;
  occupation: string | null;
  ambitions: string | null;
  relationshipStatus: string | null;
}
