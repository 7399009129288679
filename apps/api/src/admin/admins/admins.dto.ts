import { ApiProperty } from '@nestjs/swagger';

export class AdminDto {
  id: string;

  displayName: string;

  email: string;

  profileImageUrl: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null: by `ADMIN_EMAIL`.' })
  since: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The name of the admin who made this one. Null: `ADMIN_EMAIL`.',
  })
  madeBy: string | null;
}

/** `GET /api/admin/admins`, the longest registered first. */
export class AdminsDto {
  admins: AdminDto[];
}
