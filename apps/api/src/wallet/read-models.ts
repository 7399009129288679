import { Injectable } from '@nestjs/common';
import {
  ApplicationQueries,
  BalanceQueries,
  GiftQueries,
  KeyIndexQueries,
  type MemberSearch,
  type PartySearch,
  type Projections,
  ReceivableQueries,
  StatementQueries,
  TotalQueries,
  type WaitResult,
} from '@app/projections';
import type { Pool } from 'pg';

/** The read models that members look at after their own commands. */
const AWAITED = ['balances', 'statements', 'sent_gifts', 'applications'] as const;
/** A command is answered after this time at the latest; lists may then follow moments later (`projected: false`). */
export const PROJECTION_WAIT_MS = 1_000;

/** Members of the product whose name or e-mail matches a pattern (`memberPatterns`), for the search of admins (rule admin-6). */
const MEMBERS_LIKE: MemberSearch = ([name, email]) =>
  `select uuid_send(id) from member_directory
   where closed_at is null and (name_key like ${name} escape '\\' or email_key like ${email} escape '\\')`;

/** The other member, the application or the quest by a pattern for names (`searchKey`) and one for other words (rule wallet-24). */
const PARTIES_LIKE: PartySearch = ([name, words]) => `(
  r.counterparty_id in (
    select uuid_send(id) from member_directory where closed_at is null and name_key like ${name} escape '\\')
  or r.client_id in (select client_id from application_directory where name ilike ${words} escape '\\')
  or r.type = 'quest_reward' and r.subject in (
    select id::text from quest_directory where title ilike ${words} escape '\\'))`;

/** The journal's read models, and how to wait for them (rule ledger-36). */
@Injectable()
export class ReadModels {
  readonly balances: BalanceQueries;
  readonly statement: StatementQueries;
  readonly gifts: GiftQueries;
  readonly totals: TotalQueries;
  readonly applications: ApplicationQueries;
  readonly keys: KeyIndexQueries;
  readonly receivables: ReceivableQueries;

  constructor(
    pool: Pool,
    private readonly runner: Pick<Projections, 'waitFor'>,
  ) {
    this.balances = new BalanceQueries(pool);
    this.statement = new StatementQueries(pool, { memberSearch: MEMBERS_LIKE, partySearch: PARTIES_LIKE });
    this.gifts = new GiftQueries(pool);
    this.totals = new TotalQueries(pool);
    this.applications = new ApplicationQueries(pool);
    this.keys = new KeyIndexQueries(pool);
    this.receivables = new ReceivableQueries(pool);
  }

  /** Waits until the read models that members look at include this revision, for `PROJECTION_WAIT_MS` at most. */
  caughtUp(revision: number): Promise<WaitResult> {
    return this.runner.waitFor(AWAITED, revision, PROJECTION_WAIT_MS);
  }

  /** As `caughtUp`, also for read models that only admins wait for. */
  adminsCaughtUp(revision: number, timeoutMs = PROJECTION_WAIT_MS): Promise<WaitResult> {
    return this.runner.waitFor([...AWAITED, 'key_index', 'receivables'], revision, timeoutMs);
  }

  /** Purchased + earned + owed, in minor units. */
  async novaBalance(userId: string): Promise<bigint> {
    return (await this.balances.member(userId)).nova;
  }
}
