import { randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { type Config, InjectConfig } from '../platform/config.js';
import { InjectPool } from '../platform/database/database.module.js';

const HEADER = 'x-demo-word';
const WORD_BYTES = 32;

/**
 * The word that exempts `tools/demo` from counts of requests, and from nothing else (rule limits-9). Each start makes a new
 * one in the data folder, if demo data are wanted and nobody used the installation before the demo began.
 */
@Injectable()
export class DemoWord implements OnApplicationBootstrap {
  private word: Buffer | undefined;

  constructor(
    @InjectConfig() private readonly config: Config,
    @InjectPool() private readonly pool: pg.Pool,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const file = path.join(this.config.dataDir, 'secrets', 'demo-word');
    rmSync(file, { force: true });
    if (!(await this.isWanted())) return;
    const word = randomBytes(WORD_BYTES).toString('base64url');
    writeFileSync(file, `${word}\n`, { mode: 0o600 });
    this.word = Buffer.from(word);
  }

  /** Marks requests that carry the word, before any limit counts them. */
  mark(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, _reply, done) => {
      request.hasDemoWord = this.isCarriedBy(request);
      done();
    });
  }

  private isCarriedBy({ headers }: FastifyRequest): boolean {
    const shown = headers[HEADER];
    if (this.word === undefined || typeof shown !== 'string') return false;
    const bytes = Buffer.from(shown);
    return bytes.length === this.word.length && timingSafeEqual(bytes, this.word);
  }

  /** The tool writes both files: `demo-sign-in` first, `demo-filled` last. */
  private async isWanted(): Promise<boolean> {
    const { dataDir, demoData, production, stripe } = this.config;
    if (!demoData || production || stripe?.livemode || existsSync(path.join(dataDir, 'demo-filled'))) return false;
    // `demo_data` has a row where an earlier release filled the installation.
    const { rows } = await this.pool.query<{ filled: boolean; used: boolean }>(
      'select exists (select from demo_data) as filled, exists (select from accounts) as used',
    );
    const isBegun = existsSync(path.join(dataDir, 'secrets', 'demo-sign-in'));
    return rows[0]?.filled === false && (isBegun || !rows[0].used);
  }
}
