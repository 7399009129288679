import { ApiProperty } from '@nestjs/swagger';
import { PeriodRootDto } from '../periods/periods.dto.js';

export const RECEIPT_FORMAT = 'nova-receipt-1';

class ReceiptEventDto {
  id: string;

  @ApiProperty({ type: 'integer' })
  revision: number;

  type: string;

  @ApiProperty({ format: 'date-time' })
  at: string;

  @ApiProperty({ description: 'Of the journal’s chain at this event.' })
  chainHash: string;
}

/** An entry that the member may see, or the hash of one that is not theirs to see. */
class ReceiptEntryDto {
  @ApiProperty({ required: false })
  account?: string;

  @ApiProperty({ required: false })
  currency?: string;

  @ApiProperty({ required: false, description: 'Whole minor units with their sign, as text.' })
  minorUnits?: string;

  @ApiProperty({ required: false })
  salt?: string;

  @ApiProperty({ required: false })
  hidden?: string;
}

class ReceiptProofDto {
  @ApiProperty({ type: 'integer', description: 'The event’s place in the period, from 0.' })
  index: number;

  @ApiProperty({ type: 'integer', description: 'The number of the period’s events.' })
  size: number;

  @ApiProperty({ type: [String], description: 'What leads to the root, from below.' })
  path: string[];
}

/** By a key of the journal, over its name, the key, the period's number and its seal (`docs/receipts.md`). */
class ReceiptSignatureDto {
  @ApiProperty({ description: 'Which journal it is: 32 hex digits.' })
  journal: string;

  @ApiProperty({ description: 'The Ed25519 key that signed: 64 hex digits.' })
  publicKey: string;

  @ApiProperty({ description: 'The signature, base64url.' })
  sig: string;
}

/** Proof that an event is in the journal, which `scripts/verify-receipt.mjs` checks without this server (`docs/receipts.md`). */
export class ReceiptDto {
  @ApiProperty({ enum: [RECEIPT_FORMAT] })
  format: typeof RECEIPT_FORMAT;

  event: ReceiptEventDto;

  entries: ReceiptEntryDto[];

  proof: ReceiptProofDto;
  period: PeriodRootDto;

  @ApiProperty({ required: false, description: 'Of a signed journal: that the period is its own.' })
  signature?: ReceiptSignatureDto;
}
