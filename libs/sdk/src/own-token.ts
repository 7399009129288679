import { NovaError } from './errors.js';

/** What the token call answers, as far as it matters here. */
export interface FetchedToken {
  readonly access_token: string;
  /** Seconds. */
  readonly expires_in: number;
}

/** A token is not used any more so shortly before its end, in milliseconds: a call takes time. */
const MARGIN_MS = 60_000;
const UNAUTHENTICATED = 401;

interface HeldToken {
  readonly value: string;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** The application's own token: fetched when the first call needs it, renewed before it ends, shared by all calls. */
export class OwnToken {
  private held: Promise<HeldToken> | undefined;

  constructor(private readonly ask: () => Promise<FetchedToken>) {}

  /** Makes a call with it, and once more with a new one if the server takes it no longer. */
  async use<T>(call: (authorization: string) => Promise<T>): Promise<T> {
    let held = this.hold();
    if ((await held).until <= Date.now()) held = this.renew(held);
    const { value } = await held;
    try {
      return await call(`Bearer ${value}`);
    } catch (error) {
      if (!(error instanceof NovaError) || error.status !== UNAUTHENTICATED) throw error;
      return call(`Bearer ${(await this.renew(held)).value}`);
    }
  }

  /** The first that notices fetches a new one for all. */
  private renew(old: Promise<HeldToken>): Promise<HeldToken> {
    if (this.held === old) this.held = undefined;
    return this.hold();
  }

  private hold(): Promise<HeldToken> {
    if (this.held) return this.held;
    const held = this.fetched();
    this.held = held;
    // The next call asks again.
    held.catch(() => this.held === held && (this.held = undefined));
    return held;
  }

  private async fetched(): Promise<HeldToken> {
    const { access_token: value, expires_in: seconds } = await this.ask();
    const ms = seconds * 1_000;
    return { value, until: Date.now() + Math.max(ms - MARGIN_MS, ms / 2) };
  }
}
