import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { tooManySignIns } from '../platform/rate-limit/rate-limits.js';
import { FairTurns } from '../platform/fair-turns.js';
import { networkOf, siteOf } from '../platform/http/network.js';
import { newToken } from './random-token.js';

/** OWASP's choice for argon2id, which is the library's default kind: 19 MiB, two passes. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashing runs on the process's few worker threads, which files and names need too: half of them at most. */
const AT_ONCE_MAX = 2;
/** Half a second of work: enough for a household or an office that signs in at the same moment. */
const WAITING_OF_ONE_MAX = 32;
/** Some seconds of work. */
const WAITING_MAX = 400;

/** Who waits: a member, or a browser known to be a member's, by id; anybody else by network address. */
export type Asker = { readonly member: string } | { readonly address: string };

/**
 * Hashes passwords and PINs with argon2id. Hashing is the most expensive work that a stranger can cause, so all take
 * turns: members alternate with strangers, strangers take turns by site (a /48, or an IPv4 address), then by network (a
 * /64). A flood from one network or site delays others by one hash. An attacker with many sites can fill all places of
 * the strangers while each of those sites keeps a request waiting; members keep half of the work.
 */
@Injectable()
export class SecretHashing {
  private readonly turns = new FairTurns({
    atOnceMax: AT_ONCE_MAX,
    waitingOfOneMax: WAITING_OF_ONE_MAX,
    waitingMax: WAITING_MAX,
    busy: tooManySignIns,
  });
  private readonly nobodys = hash(newToken(), ARGON2);

  /**
   * In composed form (NFC), because systems type the same password as different bytes.
   * @throws AppError 503 too many are waiting
   */
  hash(secret: string, asker: Asker): Promise<string> {
    return this.turns.take(pathOf(asker), () => hash(secret.normalize('NFC'), ARGON2));
  }

  /**
   * Whether the secret matches the hash. Without a hash (no such account) it takes as long and never matches, so that
   * time does not reveal who has an account.
   * @throws AppError 503 too many are waiting
   */
  verify(secretHash: string | undefined, secret: string, asker: Asker): Promise<boolean> {
    return this.compare(secretHash, secret.normalize('NFC'), asker);
  }

  /** The same for a hash from before secrets were composed. Only where `verify` said no and the secret is not composed. */
  async verifyAsTyped(secretHash: string | undefined, secret: string, asker: Asker): Promise<boolean> {
    return secret.normalize('NFC') !== secret && this.compare(secretHash, secret, asker);
  }

  private async compare(secretHash: string | undefined, secret: string, asker: Asker): Promise<boolean> {
    const against = secretHash ?? (await this.nobodys);
    const right = await this.turns.take(pathOf(asker), () => verify(against, secret));
    return right && secretHash !== undefined;
  }
}

const pathOf = (asker: Asker): string[] =>
  'member' in asker ? ['members', asker.member] : ['strangers', siteOf(asker.address), networkOf(asker.address)];
