import { ApiProperty } from '@nestjs/swagger';

export const TAKEOUT_STATES = ['waiting', 'running', 'ready', 'failed'] as const;
export type TakeoutState = (typeof TAKEOUT_STATES)[number];

/** A file with everything of a member (rule accounts-25). */
export class TakeoutDto {
  id: string;

  @ApiProperty({ enum: TAKEOUT_STATES })
  state: TakeoutState;

  @ApiProperty({ type: 'integer', description: 'Per cent of its parts that are written.' })
  progress: number;

  @ApiProperty({ format: 'date-time' })
  orderedAt: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Of the ZIP file, once it is ready.' })
  bytes: number | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Until then it can be downloaded.' })
  expiresAt: string | null;
}

/** `GET /api/takeout`. */
export class LastTakeoutDto {
  @ApiProperty({ type: TakeoutDto, nullable: true, description: 'The last one; null if there is none.' })
  takeout: TakeoutDto | null;
}

/** `GET /api/takeout/{id}`. */
export class TakeoutFileDto {
  @ApiProperty({ example: '/api/takeout/018f…/file' })
  url: string;
}
