import { ApiProperty } from '@nestjs/swagger';
import { PartyDto } from '../wallet/wallet.dto.js';
import { WalletAmount } from './token-amount.js';

/** `POST /api/oauth/application/{clientId}/wallet/fund` and `…/withdraw`. */
export class WalletMoveDto {
  @WalletAmount()
  amount: number;
}

export class WalletTotalsDto {
  @ApiProperty({ description: 'What members spent at the application, in Nova.' })
  spent: number;

  @ApiProperty({ description: 'What it paid to members.' })
  paid: number;

  @ApiProperty({ description: 'What its developer put in.' })
  funded: number;

  @ApiProperty({ description: 'What its developer took out.' })
  withdrawn: number;
}

/** `GET /api/oauth/application/{clientId}/wallet`. Nova keeps its kind on the way in and out (rule apps-8). */
export class ApplicationWalletDto {
  @ApiProperty({ description: 'In Nova.' })
  balance: number;

  @ApiProperty({ description: 'The part that somebody bought with a card.' })
  purchased: number;

  earned: number;

  totals: WalletTotalsDto;

  @ApiProperty({ description: 'False in test mode, where members and Nova are made up.' })
  livemode: boolean;
}

export class WalletMovedDto {
  @ApiProperty({ example: 'Put 1,000 Nova into the wallet of Chess Club.' })
  message: string;

  @ApiProperty({ description: "What the application's wallet holds after it." })
  balance: number;

  @ApiProperty({ description: "The developer's own Nova balance after it." })
  novaBalance: number;

  @ApiProperty({ description: "The id of the journal's event." })
  transactionId: string;

  @ApiProperty({ description: 'False when lists and balances do not show it yet.' })
  projected: boolean;

  @ApiProperty({ description: 'False in test mode, where members and Nova are made up.' })
  livemode: boolean;
}

/** One movement of an application's wallet. */
export class WalletEntryDto {
  @ApiProperty({ description: "The id of the journal's event." })
  id: string;

  @ApiProperty({
    enum: ['spend', 'earn', 'fund', 'withdraw', 'spend_reversed', 'earn_reversed'],
    description: 'An administrator took back what ends in `_reversed`.',
  })
  type: 'spend' | 'earn' | 'fund' | 'withdraw' | 'spend_reversed' | 'earn_reversed';

  @ApiProperty({ description: 'Nova, never negative: the type tells the direction.', example: 25 })
  amount: number;

  @ApiProperty({ type: PartyDto, description: 'The member; the developer where the wallet was filled or emptied.' })
  member: PartyDto;

  description: string | null;

  @ApiProperty({ format: 'date-time' })
  createdAt: string;
}

/** `GET /api/oauth/application/{clientId}/wallet/statement`. */
export class WalletStatementDto {
  @ApiProperty({ type: [WalletEntryDto], description: 'Newest first.' })
  entries: WalletEntryDto[];

  @ApiProperty({ type: String, nullable: true, description: 'Send it back as `cursor` for the next page.' })
  nextCursor: string | null;

  @ApiProperty({ description: 'False in test mode, where members and Nova are made up.' })
  livemode: boolean;
}

/** What an application did with the Nova of the member who asks. */
export class ApplicationUseDto {
  clientId: string;

  @ApiProperty({ example: 'Chess Club' })
  name: string;

  logoUrl: string | null;

  @ApiProperty({ description: 'In Nova.' })
  spent: number;

  @ApiProperty({ description: 'Given to others through it.' })
  transferred: number;

  @ApiProperty({ description: 'Received from it.' })
  earned: number;

  @ApiProperty({ description: 'Spent and given since midnight UTC.' })
  spentToday: number;

  @ApiProperty({ type: Number, nullable: true, description: 'Null while it may spend nothing.' })
  dailyLimit: number | null;

  @ApiProperty({ format: 'date-time' })
  lastUsedAt: string;
}

/** `GET /api/wallet/applications`. */
export class ApplicationUsesDto {
  @ApiProperty({ type: [ApplicationUseDto], description: 'The one used last first.' })
  applications: ApplicationUseDto[];
}
