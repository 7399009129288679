import { isRedirectUri } from '@app/domain';
import { Inject, Injectable } from '@nestjs/common';
import type { Ledger } from '@app/ledger';
import type { Pool } from 'pg';
import { type Config, InjectConfig } from '../../platform/config.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { LEDGER } from '../../platform/ledger/tokens.js';
import { toMinor } from '../../wallet/nova-amount.js';
import { SCOPES } from '../scopes.js';

/** Whose it is, and what it is called at `/oauth/demo`. */
const DEVELOPER = 'ada@nova.example';
const CLIENT_ID = 'nova-pocket-demo';
/** Nova in its wallet, so that it can pay members. */
const FUNDS = 500;

const INSERT = `
  insert into oauth_applications (client_id, owner_id, name, description, redirect_uris, scopes)
  select $1, id, $3, $4, $5, $6 from accounts where email_key = $2 and closed_at is null
  on conflict (client_id) do nothing returning owner_id`;

/** A public application of a demo member, with which the demo page works at once (rule oauth-20). */
@Injectable()
export class DemoApplication {
  constructor(
    @InjectConfig() private readonly config: Config,
    @InjectPool() private readonly pool: Pool,
    @Inject(LEDGER) private readonly ledger: Ledger,
  ) {}

  /** Makes it once: deleted, it stays away. */
  async seed(): Promise<void> {
    const { publicUrl } = this.config;
    const redirectUris = [
      'https://your-app.example/callback',
      'http://localhost:4000/callback',
      `${publicUrl}/oauth/demo`,
    ];
    const { rows } = await this.pool.query<{ owner_id: string }>(INSERT, [
      CLIENT_ID,
      DEVELOPER,
      'Nova Pocket',
      'Keeps an eye on your Nova, and pays at the till.',
      redirectUris.filter(isRedirectUri),
      SCOPES,
    ]);
    const ownerId = rows[0]?.owner_id;
    if (ownerId === undefined) return;
    await this.ledger.execute({
      command: { type: 'FundAppWallet', clientId: CLIENT_ID, ownerId, amount: toMinor(FUNDS) },
      actor: `member:${ownerId}`,
      cause: 'demo',
      key: { scope: 'fact', value: 'demo:application-wallet' },
    });
  }
}
