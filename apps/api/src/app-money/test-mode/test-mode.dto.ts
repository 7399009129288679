import { ApiProperty } from '@nestjs/swagger';
import { TEST_EVENTS_MAX } from '@app/domain';
import { TestMemberDto } from '../../oauth/test-mode/test-consent.dto.js';

/** `GET /api/oauth/application/{clientId}/test-mode` (rule apps-11). */
export class TestModeDto {
  @ApiProperty({ description: 'The test client id: it works wherever the live one does.' })
  clientId: string;

  @ApiProperty({ description: 'False until a test secret was made; a public application has none.' })
  hasSecret: boolean;

  @ApiProperty({ type: [TestMemberDto] })
  members: TestMemberDto[];

  @ApiProperty({ type: 'integer', description: 'How many events the test data has.' })
  events: number;

  @ApiProperty({ type: 'integer', example: TEST_EVENTS_MAX, description: 'How many it may have until it is reset.' })
  eventsMax: number;

  @ApiProperty({ type: 'integer', description: 'How often it may be reset until midnight UTC.' })
  resetsLeft: number;
}
