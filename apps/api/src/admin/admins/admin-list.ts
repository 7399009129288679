import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { AdminRights } from '../../identity/admin-rights.js';
import { DELETED_MEMBER, MemberDirectory } from '../../identity/member-directory.js';
import { InjectPool } from '../../platform/database/database.module.js';
import type { AdminsDto } from './admins.dto.js';

interface Made {
  readonly target_id: string;
  readonly admin_id: string;
  readonly at: Date;
}

/** Who is an admin, and who made them one (rule admin-18). */
@Injectable()
export class AdminList {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly rights: AdminRights,
    private readonly directory: MemberDirectory,
  ) {}

  async all(): Promise<AdminsDto> {
    const ids = [...(await this.rights.all())];
    const { rows } = await this.pool.query<Made>(
      `select distinct on (target_id) target_id, admin_id, at from read.audit
       where action = 'AdminMade' and target_id = any($1) order by target_id, position desc`,
      [ids],
    );
    const made = new Map(rows.map((row) => [row.target_id, row]));
    const members = await this.directory.find([...ids, ...rows.map(({ admin_id }) => admin_id)]);
    return {
      admins: ids.flatMap((id) => {
        const [member, by] = [members.get(id), made.get(id)];
        if (!member) return [];
        const { displayName, email, profileImageUrl } = member;
        const madeBy = by ? (members.get(by.admin_id)?.displayName ?? DELETED_MEMBER) : null;
        return { id, displayName, email, profileImageUrl, since: by?.at.toISOString() ?? null, madeBy };
      }),
    };
  }
}
