import { idsNamedIn } from '@app/domain';
import type { CommandOutcome, CommandRequest } from '@app/ledger';
import {
  type ApplicationQueries,
  type AppMovementPage,
  type AppMovementPageRequest,
  type AppStandingRow,
  type AppWalletRow,
  InvalidCursor,
} from '@app/projections';
import type { DirectoryMember } from '../../identity/member-directory.js';
import { TEST_RATING, testNameOf } from '../../oauth/test-mode/test-members.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { ApplicationMoney } from '../application-money.js';
import { invalidToken } from '../../oauth/token-errors.js';
import type { TestBook, TestMovement, TestParties } from './test-book.js';

/** Which total of the wallet a movement counts for. */
const TOTAL = { spend: 'spent', earn: 'paid', fund: 'funded', withdraw: 'withdrawn' } as const;

/** An application's test mode, read from its own stream (rule apps-11). */
export class TestMoney implements ApplicationMoney {
  readonly livemode = false;
  readonly ledger = { execute: (request: CommandRequest) => this.execute(request) };
  readonly movements: ApplicationMoney['movements'] = {
    wallet: () => this.wallet(),
    ofMember: ({ userId, ...page }) =>
      this.page(page, (movement) => movement.userId === userId && !isOfDeveloper(movement)) as ReturnType<
        ApplicationQueries['ofMember']
      >,
    ofWallet: (page) =>
      this.page(page, ({ type }) => Object.hasOwn(TOTAL, type)) as ReturnType<ApplicationQueries['ofWallet']>,
  };
  private readonly own: ReadonlySet<string>;

  constructor(
    private readonly book: TestBook,
    private readonly parties: TestParties,
    private readonly consenting: (memberIds: readonly string[]) => Promise<ReadonlySet<string>>,
  ) {
    this.own = new Set([parties.clientId, parties.developerId, ...parties.memberIds]);
  }

  developer(): string {
    return this.parties.developerId;
  }

  /** Reads come from the stream itself. */
  caughtUp(): Promise<{ readonly projected: boolean }> {
    return Promise.resolve({ projected: true });
  }

  async novaBalance(userId: string): Promise<bigint> {
    return (await this.book.balances()).novaBalance(userId);
  }

  spentToday(userId: string): Promise<bigint> {
    return this.book.spentToday(userId);
  }

  async standing(userId: string): Promise<AppStandingRow> {
    const state = await this.book.balances();
    return {
      nova: state.novaBalance(userId),
      purchased: state.mix(userId).purchased,
      karma: state.balance(userId, 'karma'),
      influence: state.balance(userId, 'influence'),
      spentToday: await this.book.spentToday(userId),
    };
  }

  rating(): Promise<number> {
    return Promise.resolve(TEST_RATING);
  }

  members(ids: readonly string[]): Promise<ReadonlyMap<string, DirectoryMember>> {
    return Promise.resolve(new Map(ids.filter((id) => this.own.has(id)).map((id) => [id, memberOf(id)])));
  }

  recipient(recipientId: string): Promise<DirectoryMember> {
    const id = recipientId.toLowerCase();
    if (this.parties.memberIds.includes(id)) return Promise.resolve(memberOf(id));
    return Promise.reject(
      new AppError(404, 'RECIPIENT_NOT_FOUND', 'The member you want to send a gift to was not found.'),
    );
  }

  spendersOf(memberIds: readonly string[]): Promise<ReadonlySet<string>> {
    return this.consenting(memberIds.filter((id) => this.parties.memberIds.includes(id)));
  }

  /**
   * No id but the application's own and those of its made-up members reaches its ledger.
   * @throws AppError 401 the test data was reset while the call was on its way
   */
  private execute(request: CommandRequest): Promise<CommandOutcome> {
    for (const id of idsNamedIn(request.command)) if (!this.own.has(id)) return Promise.reject(invalidToken());
    return this.book.execute(request);
  }

  private async wallet(): Promise<AppWalletRow> {
    const { clientId, developerId: ownerId } = this.parties;
    const { purchased = 0n, earned = 0n } = (await this.book.balances()).app(clientId) ?? {};
    const totals = { spent: 0n, paid: 0n, funded: 0n, withdrawn: 0n };
    for (const { type, amount } of await this.book.movements()) {
      const total = Object.hasOwn(TOTAL, type) ? TOTAL[type as keyof typeof TOTAL] : undefined;
      if (total) totals[total] += amount;
    }
    return { clientId, ownerId, purchased, earned, ...totals };
  }

  /** Newest first; a cursor is the revision of the last that was shown. @throws InvalidCursor */
  private async page(
    { limit, cursor }: Pick<AppMovementPageRequest, 'limit' | 'cursor'>,
    isWanted: (movement: TestMovement) => boolean,
  ): Promise<AppMovementPage> {
    if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw new InvalidCursor();
    const before = cursor === undefined ? Infinity : Number(cursor);
    const rows = (await this.book.movements())
      .filter((movement) => movement.revision < before && isWanted(movement))
      .toReversed();
    const shown = rows.slice(0, limit);
    return { movements: shown, nextCursor: rows.length > limit ? String(shown.at(-1)?.revision) : null };
  }
}

const isOfDeveloper = ({ type }: TestMovement): boolean => type === 'fund' || type === 'withdraw';

const memberOf = (id: string): DirectoryMember => ({
  id,
  displayName: testNameOf(id),
  email: '',
  profileImageUrl: null,
  rating: TEST_RATING,
  ratingCount: 0,
  isAdmin: false,
  closed: false,
});
