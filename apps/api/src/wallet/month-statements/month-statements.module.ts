import { Module } from '@nestjs/common';
import { BooksModule } from '../../finance/books.module.js';
import { IdentityModule } from '../../identity/identity.module.js';
import { WalletModule } from '../wallet.module.js';
import { MonthStatementsController } from './month-statements.controller.js';
import { MonthStatements } from './month-statements.js';
import { StatementPrinter } from './statement-printer.js';
import { StatementView } from './statement-view.js';

/** Members' statements of a month, as JSON, CSV and PDF. */
@Module({
  imports: [BooksModule, IdentityModule, WalletModule],
  controllers: [MonthStatementsController],
  providers: [MonthStatements, StatementView, StatementPrinter],
})
export class MonthStatementsModule {}
