import { Controller, Get, Header, Param, Res } from '@nestjs/common';
import { ApiConflictResponse, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { NeedsSession } from '../../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../../platform/auth/member.js';
import { OwnEvents } from '../../wallet/own-events.js';
import { Receipts } from './receipts.js';
import { ReceiptDto } from './receipts.dto.js';

@ApiTags('Wallet')
@NeedsSession()
@Controller('api/nova/transactions')
export class ReceiptsController {
  constructor(
    private readonly receipts: Receipts,
    private readonly events: OwnEvents,
  ) {}

  @ApiOperation({ summary: 'Proof that the event behind a row of one’s statement is in the sealed journal' })
  @ApiOkResponse({ type: ReceiptDto })
  @ApiNotFoundResponse({ description: 'It does not exist, or it is not yours.' })
  @ApiConflictResponse({ description: 'The period of the event is not closed yet.' })
  @Header('cache-control', 'no-store')
  @Get(':id/receipt')
  async receipt(
    @CurrentUser() { id: memberId }: SignedInMember,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReceiptDto> {
    const found = await this.events.find(memberId, id);
    const receipt = await this.receipts.of(found, { kind: 'member', id: memberId });
    void reply.header('content-disposition', `attachment; filename="nova-receipt-${receipt.event.revision}.json"`);
    return receipt;
  }
}
