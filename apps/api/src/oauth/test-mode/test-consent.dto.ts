import { ApiProperty } from '@nestjs/swagger';
import { IsUUID } from 'class-validator';
import { ConsentDecisionDto } from '../consent.dto.js';
import { SCOPES, type Scope } from '../scopes.js';

/** A made-up member of an application's test mode. */
export class TestMemberDto {
  @ApiProperty({ format: 'uuid', description: '`sub` of the id token, and the `userId` of the token API.' })
  id: string;

  @ApiProperty({ example: 'Test Ada' })
  name: string;

  /** What sets it apart. */
  @ApiProperty({ example: 'Has 100 Nova' })
  about: string;
}

/** `GET /api/oauth/test-consent/{clientId}`: what the screen of test mode shows. */
export class TestConsentScreenDto {
  /** The application's. */
  name: string;
  logoUrl: string | null;

  /** What the application may ask for. */
  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes: Scope[];

  /** Nova a UTC day, until one is chosen. */
  dailyLimit: number;

  @ApiProperty({ type: [TestMemberDto] })
  members: TestMemberDto[];
}

/** `POST /api/oauth/test-consent`: as a member's decision, in the name of a made-up one. */
export class TestConsentDecisionDto extends ConsentDecisionDto {
  /** One of the three; of no meaning where access is denied. */
  @ApiProperty({ format: 'uuid' })
  @IsUUID('all', { message: 'Choose one of the made-up members.', context: { code: 'INVALID_MEMBER' } })
  member: string;
}
