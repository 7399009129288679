import { isTestMemberId } from '@app/domain';
import { Injectable } from '@nestjs/common';
import type { Account, AccountClaims } from 'oidc-provider';
import type pg from 'pg';
import { MemberDirectory } from '../../identity/member-directory.js';
import { type Config, InjectConfig } from '../../platform/config.js';
import { InjectPool } from '../../platform/database/database.module.js';
import type { Scope } from '../scopes.js';
import { testClaims } from '../test-mode/test-members.js';

/**
 * The claims about a member in each scope (rule oauth-17), in id tokens and at userinfo. The token API answers for
 * Nova, Karma and Influence. `email_verified` says whether the member has confirmed the address: some clients
 * take an absent claim for a confirmed address.
 */
export const CLAIMS: Readonly<Record<Scope, string[]>> = {
  openid: ['sub'],
  profile: ['name', 'picture', 'bio', 'rating'],
  email: ['email', 'email_verified'],
  nova: [],
  karma: [],
  influence: [],
};

const FIND = `
  select a.email, a.email_verified_at is not null as verified, p.bio from member_directory a left join profile_directory p on p.account_id = a.id
  where a.id = $1 and a.closed_at is null`;

interface MemberRow {
  readonly email: string;
  readonly verified: boolean;
  readonly bio: string | null;
}

/** Members as the provider's accounts. */
@Injectable()
export class MemberClaims {
  constructor(
    @InjectConfig() private readonly config: Config,
    @InjectPool() private readonly pool: pg.Pool,
    private readonly directory: MemberDirectory,
  ) {}

  /** Undefined if there is no such account, or it is closed. */
  async find(memberId: string): Promise<Account | undefined> {
    if (isTestMemberId(memberId)) return { accountId: memberId, claims: () => testClaims(memberId) };
    const { rows } = await this.pool.query<MemberRow>(FIND, [memberId]);
    const row = rows[0];
    if (!row) return undefined;
    return { accountId: memberId, claims: () => this.claims(memberId, row) };
  }

  /** All claims: the provider passes on those that the scopes allow. Values that are absent have no claim. */
  private async claims(sub: string, { email, verified, bio }: MemberRow): Promise<AccountClaims> {
    const member = await this.directory.get(sub);
    const picture = member?.profileImageUrl;
    return {
      sub,
      email,
      email_verified: verified,
      ...(member ? { name: member.displayName, rating: member.rating } : {}),
      ...(picture ? { picture: new URL(picture, this.config.publicUrl).href } : {}),
      ...(bio ? { bio } : {}),
    };
  }
}
