import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../platform/errors/app-error.js';
import { newToken } from './tokens.js';

/** OWASP's choice for argon2id, which is the library's default kind: 19 MiB, two passes. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashing runs on the process's few worker threads, which files and names need too: half of them at most. */
const CONCURRENT_MAX = 2;
const WAITING_MAX = 200;

/** Passwords and PINs, hashed with argon2id. */
@Injectable()
export class SecretHashing {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  private readonly nobodys = this.hash(newToken());

  /** @throws AppError 503 too many are waiting */
  hash(secret: string): Promise<string> {
    return this.inTurn(() => hash(secret, ARGON2));
  }

  /**
   * Whether the secret belongs to the hash. Without a hash (no such account) it takes as long and is never right, so that
   * time does not tell who has an account.
   * @throws AppError 503 too many are waiting
   */
  async verify(secretHash: string | undefined, secret: string): Promise<boolean> {
    const against = secretHash ?? (await this.nobodys);
    const right = await this.inTurn(() => verify(against, secret));
    return right && secretHash !== undefined;
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= CONCURRENT_MAX) {
      if (this.waiting.length >= WAITING_MAX) {
        throw new AppError(503, 'BUSY', 'Too many people are signing in right now. Please try again.', {
          retryAfterSeconds: 5,
        });
      }
      // Whoever ends hands their place over: `running` stays as it is.
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else {
      this.running += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
