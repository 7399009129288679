import { applicationIdOf, isTestClientId } from '@app/domain';
import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { isClientId } from './client-id.js';
import { isSecret } from './provider/provider-clients.js';

/** An application that proved itself by its secret: it acts for itself, not for a member. */
export interface ProvenApplication {
  /** Its own, or its test client's. */
  readonly clientId: string;
  readonly ownerId: string;
}

const FIND = `
  select a.owner_id as "ownerId", case when $2 then t.secret_hash else a.secret_hash end as secret_hash
  from oauth_applications a left join oauth_test_clients t on t.application_id = a.client_id
  join member_directory o on o.id = a.owner_id and o.closed_at is null
  where a.client_id = $1 and a.is_active and a.deleted_at is null and a.secret_hash is not null`;

/** Client ids and secrets of applications (rule apps-10). Public applications have none. */
@Injectable()
export class ApplicationCredentials {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** Undefined if the application is unknown, switched off, public or has another secret. */
  async find(clientId: string, secret: string): Promise<ProvenApplication | undefined> {
    if (!isClientId(clientId)) return undefined;
    const { rows } = await this.pool.query<{ readonly ownerId: string; readonly secret_hash: string | null }>({
      name: 'find-application-secret',
      text: FIND,
      values: [applicationIdOf(clientId), isTestClientId(clientId)],
    });
    const [row] = rows;
    if (!row || row.secret_hash === null || !isSecret(secret, row.secret_hash)) return undefined;
    return { clientId, ownerId: row.ownerId };
  }
}
