import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { ensurePostgres, type EmbeddedPostgres } from '../../apps/api/src/platform/embedded-postgres.js';

/** An embedded Postgres of its own, with fsync on, as `npm start` runs it; removed afterwards. */
export class Surroundings {
  private constructor(
    private readonly postgres: EmbeddedPostgres,
    private readonly dataDir: string,
  ) {}

  static async open(log: (line: string) => void): Promise<Surroundings> {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'nova-bench-'));
    return new Surroundings(await ensurePostgres({ dataDir, log }), dataDir);
  }

  /** A new, empty database. */
  async database(): Promise<string> {
    const name = `bench_${randomBytes(5).toString('hex')}`;
    const url = new URL(this.postgres.url);
    const client = new pg.Client(this.postgres.superuserUrl);
    await client.connect();
    await client.query(`create database ${name} owner ${url.username}`);
    // A measurement begins with nothing left to be written.
    await client.query(`grant pg_checkpoint to ${url.username}`);
    await client.end();
    url.pathname = `/${name}`;
    return url.href;
  }

  async setting(name: string): Promise<string> {
    const client = new pg.Client(this.postgres.url);
    await client.connect();
    const { rows } = await client.query<Record<string, string>>(`show ${name}`);
    await client.end();
    return rows[0]?.[name] ?? '';
  }

  async close(): Promise<void> {
    await this.postgres.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
