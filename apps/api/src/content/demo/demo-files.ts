import path from 'node:path';
import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';
import { mediaUrl } from '../../platform/uploads/media-url.js';
import type { PreparedMedia } from '../../platform/uploads/media/prepared-media.js';
import { type UploadPurpose, Uploads } from '../../platform/uploads/uploads.js';

export interface DemoFile {
  /** Which file it is, the same at every start: `card:ada@nova.example`. */
  readonly step: string;
  readonly memberId: string;
  readonly purpose: UploadPurpose;
  /** Which of the prepared files: `card-ada`. */
  readonly name: string;
  readonly kind: 'clip' | 'picture';
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Pictures within 640 pixels, which are their own thumbnails, and clips with a picture of each beside it. */
const FOLDER = path.join(import.meta.dirname, 'files');

function mediaOf({ name, kind, width, height }: Pick<DemoFile, 'name' | 'kind' | 'width' | 'height'>): PreparedMedia {
  const [picture, clip] = [path.join(FOLDER, `${name}.webp`), path.join(FOLDER, `${name}.mp4`)];
  return kind === 'clip'
    ? { kind: 'video', contentType: 'video/mp4', width, height, file: clip, thumbnail: picture }
    : { kind: 'image', contentType: 'image/webp', width, height, file: picture, thumbnail: picture };
}

/** The files of the demo members, each stored once, however often a start was ended in between. */
@Injectable()
export class DemoFiles {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly uploads: Uploads,
  ) {}

  /** Answers with its `mediaUrl`. */
  async once({ step, memberId, purpose, ...file }: DemoFile): Promise<string> {
    const { rows } = await this.pool.query<{ id: string | null }>(
      'select file_id as id from demo_showcase where step = $1',
      [step],
    );
    const known = rows[0]?.id;
    if (known) return mediaUrl(known);
    const { id } = await this.uploads.storePrepared({ memberId, purpose, media: mediaOf(file) });
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
