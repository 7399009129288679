import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { isClientId } from './client-id.js';
import { isSecret } from './provider/provider-clients.js';

/** An application that proved itself by its secret: it acts for itself, not for a member. */
export interface ProvenApplication {
  readonly clientId: string;
  readonly ownerId: string;
}

const FIND = `
  select a.client_id as "clientId", a.owner_id as "ownerId", a.secret_hash from oauth_applications a
  join member_directory o on o.id = a.owner_id and o.closed_at is null
  where a.client_id = $1 and a.is_active and a.deleted_at is null and a.secret_hash is not null`;

/** Client ids and secrets of applications (rule apps-10). Public applications have none. */
@Injectable()
export class ApplicationCredentials {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** Undefined if the application is unknown, switched off, public or has another secret. */
  async find(clientId: string, secret: string): Promise<ProvenApplication | undefined> {
    if (!isClientId(clientId)) return undefined;
    const { rows } = await this.pool.query<ProvenApplication & { readonly secret_hash: string }>({
      name: 'find-application-secret',
      text: FIND,
      values: [clientId],
    });
    const [row] = rows;
    if (!row || !isSecret(secret, row.secret_hash)) return undefined;
    return { clientId: row.clientId, ownerId: row.ownerId };
  }
}
