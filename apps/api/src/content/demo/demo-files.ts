import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';
import { mediaUrl } from '../../platform/uploads/media-url.js';
import { type UploadPurpose, Uploads } from '../../platform/uploads/uploads.js';

export interface DemoFile {
  /** Which file it is, the same at every start: `card:ada@nova.example`. */
  readonly step: string;
  readonly memberId: string;
  readonly purpose: UploadPurpose;
  /** Asked only where the file is not there yet. */
  readonly make: () => Promise<Buffer>;
}

/** The files of the demo members, each made and stored once, however often a start was ended in between. */
@Injectable()
export class DemoFiles {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly uploads: Uploads,
  ) {}

  /** Answers with its `mediaUrl`. */
  async once({ step, memberId, purpose, make }: DemoFile): Promise<string> {
    const { rows } = await this.pool.query<{ id: string | null }>(
      'select file_id as id from demo_showcase where step = $1',
      [step],
    );
    const known = rows[0]?.id;
    if (known) return mediaUrl(known);
    const { id } = await this.uploads.store({ memberId, purpose, bytes: await make() });
    await this.pool.query('insert into demo_showcase (step, file_id) values ($1, $2)', [step, id]);
    return mediaUrl(id);
  }

  async allDone(): Promise<boolean> {
    const { rows } = await this.pool.query<{ done: boolean }>(
      `select exists (select from demo_showcase where step = 'done') as done`,
    );
    return rows[0]?.done ?? false;
  }

  async markAllDone(): Promise<void> {
    await this.pool.query(`insert into demo_showcase (step) values ('done') on conflict do nothing`);
  }
}
