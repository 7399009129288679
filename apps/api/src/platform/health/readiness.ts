import { Injectable } from '@nestjs/common';
import { InjectPool } from '../database/database.module.js';
import type pg from 'pg';
import { reasonOf } from '../errors/explained.js';

export interface Readiness {
  readonly ok: boolean;
  /** Degraded: requests can be answered without it, and moving them elsewhere would not help. */
  readonly bearable?: true;
  /** A phrase for operators. */
  readonly detail?: string;
}

export type ReadinessCheck = () => Promise<Readiness> | Readiness;

const CHECK_TIMEOUT_MS = 2_000;

/** The readiness of the parts that requests need. Parts register when they start. */
@Injectable()
export class ReadinessChecks {
  private readonly checks = new Map<string, ReadinessCheck>();
  private running: Promise<Record<string, Readiness>> | undefined;

  constructor(@InjectPool() pool: pg.Pool) {
    this.add('database', async () => {
      await pool.query('select 1');
      return { ok: true };
    });
  }

  add(name: string, check: ReadinessCheck): void {
    if (this.checks.has(name)) throw new Error(`there is a readiness check ${name} already`);
    this.checks.set(name, check);
  }

  /**
   * Runs all checks at once; one that fails or takes over 2 s counts as failed. Concurrent callers share the result.
   */
  run(): Promise<Record<string, Readiness>> {
    this.running ??= this.runAll().finally(() => (this.running = undefined));
    return this.running;
  }

  private async runAll(): Promise<Record<string, Readiness>> {
    const results = await Promise.all(
      [...this.checks].map(async ([name, check]) => [name, await settle(check)] as const),
    );
    return Object.fromEntries(results);
  }
}

async function settle(check: ReadinessCheck): Promise<Readiness> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Readiness>((resolve) => {
    timer = setTimeout(
      () => resolve({ ok: false, detail: `no answer within ${CHECK_TIMEOUT_MS} ms` }),
      CHECK_TIMEOUT_MS,
    );
  });
  try {
    return await Promise.race([Promise.resolve(check()), timeout]);
  } catch (error) {
    return { ok: false, detail: reasonOf(error) };
  } finally {
    clearTimeout(timer);
  }
}
