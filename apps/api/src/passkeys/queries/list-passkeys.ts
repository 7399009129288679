import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type pg from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';
import { PASSKEYS_MAX } from '../limits.js';
import { Passkeys } from '../passkeys.js';

export class PasskeyDto {
  id: string;
  name: string;
  createdAt: string;
  /** When it last signed the member in or proved who they are. */
  lastUsedAt: string | null;
  /** The member's password manager keeps it, on all of their devices. */
  isSynced: boolean;
}

export class PasskeysResponse {
  /** The oldest first. */
  passkeys: PasskeyDto[];
  /** The most passkeys that an account may have. */
  limit: number;
  /** Recovery codes that have not been used. */
  recoveryCodesLeft: number;
  /** Whether passkeys can be used at this address. */
  isAvailable: boolean;
}

/** A member's passkeys. */
export class ListPasskeys extends Query<PasskeysResponse> {
  constructor(readonly accountId: string) {
    super();
  }
}

@QueryHandler(ListPasskeys)
export class ListPasskeysHandler implements IQueryHandler<ListPasskeys> {
  constructor(
    private readonly passkeys: Passkeys,
    @InjectPool() private readonly pool: pg.Pool,
  ) {}

  async execute({ accountId }: ListPasskeys): Promise<PasskeysResponse> {
    const { rows } = await this.pool.query<{ codes: number }>(
      'select count(*)::int as codes from recovery_codes where account_id = $1',
      [accountId],
    );
    const passkeys = (await this.passkeys.of(accountId)).map(({ id, name, createdAt, lastUsedAt, isSynced }) => ({
      id,
      name,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
      isSynced,
    }));
    const { areAvailable: isAvailable } = this.passkeys;
    return { passkeys, limit: PASSKEYS_MAX, recoveryCodesLeft: rows[0]?.codes ?? 0, isAvailable };
  }
}
