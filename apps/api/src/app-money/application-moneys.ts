import { groupedLookups } from '@app/event-store';
import { isTestClientId } from '@app/domain';
import type { Ledger } from '@app/ledger';
import { standingKey } from '@app/projections';
import { Inject, Injectable } from '@nestjs/common';
import { GiftRecipients } from '../gifts/gift-recipients.js';
import { MemberDirectory } from '../identity/member-directory.js';
import { Consents } from '../oauth/consents.js';
import { LEDGER } from '../platform/ledger/injected-ledger.js';
import { ReadModels } from '../wallet/read-models.js';
import type { ApplicationMoney } from './application-money.js';
import { TestLedgers } from './test-mode/test-ledgers.js';

/**
 * Which ledger an application's calls reach: its client id decides, here and nowhere else. A live client id never leads to a
 * test ledger, nor a test client id to the journal (rule apps-11).
 */
@Injectable()
export class ApplicationMoneys {
  private readonly standing = groupedLookups((keys) => this.readModels.applications.standings(keys));

  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly readModels: ReadModels,
    private readonly directory: MemberDirectory,
    private readonly recipients: GiftRecipients,
    private readonly consents: Consents,
    private readonly tests: TestLedgers,
  ) {}

  /** @throws StoreUnavailable, LedgerBusy a test ledger cannot be opened now */
  of(clientId: string): Promise<ApplicationMoney> {
    return isTestClientId(clientId) ? this.tests.moneyOf(clientId) : Promise.resolve(this.live(clientId));
  }

  private live(clientId: string): ApplicationMoney {
    const { readModels, directory, recipients, consents, ledger } = this;
    const { applications } = readModels;
    return {
      livemode: true,
      ledger,
      movements: applications,
      developer: (ownerId) => ownerId,
      caughtUp: (revision) => readModels.caughtUp(revision),
      novaBalance: (userId) => readModels.novaBalance(userId),
      spentToday: (userId) => applications.spentToday(userId, clientId),
      standing: (userId) => this.standing(standingKey(userId, clientId)),
      rating: async (userId) => (await directory.get(userId))?.rating ?? 0,
      members: (ids) => directory.find(ids),
      recipient: (recipientId, senderId) => recipients.find(recipientId, senderId),
      spendersOf: (memberIds) => consents.spendersOf(clientId, memberIds),
    };
  }
}
