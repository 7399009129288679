import {
  PLACES_MAX,
  PLACES_OF_ENDPOINT,
  PLACES_OF_OWNER_MAX,
  QUICK_ANSWER_MS,
  UNPROVEN_PLACES_MAX,
  UNPROVEN_PLACES_OF_OWNER_MAX,
} from './limits.js';

/** An endpoint whose deliveries take places. */
export interface Placed {
  readonly endpointId: string;
  readonly ownerId: string;
  /** Whether it is a first attempt. */
  readonly isFirst: boolean;
}

interface Standing {
  limit: number;
  firsts: number;
  retries: number;
}

/**
 * The places of the sender: attempts that go on at once (rule webhooks-6). An endpoint has as many as its answers earned: a quick
 * answer adds one, a failure or a slow answer halves them. Endpoints that did not earn more than the first few share a part of all
 * places, so that slow and dead ones leave the others theirs. Retries leave most of an endpoint's places to first attempts.
 */
export class Places {
  private readonly endpoints = new Map<string, Standing>();
  private readonly byOwner = new Map<string, { all: number; unproven: number }>();
  /** Whether each busy place was taken unproven: it is given back as it was taken. */
  private all = 0;
  private unproven = 0;

  /** How many attempts an endpoint may begin, as far as its own places go. */
  freeOf(endpointId: string): { readonly firsts: number; readonly retries: number } {
    const { limit, firsts, retries } = this.of(endpointId);
    const forRetries = Math.max(1, Math.floor(limit / 4));
    return { firsts: Math.max(0, limit - forRetries - firsts), retries: Math.max(0, forRetries - retries) };
  }

  /** The endpoints that differ from one that was never asked. */
  get known(): readonly string[] {
    return [...this.endpoints.keys()];
  }

  get busy(): number {
    return this.all;
  }

  /** Takes a place, if there is one. @returns how to give it back, with the time that the answer took; undefined for a failure */
  take({ endpointId, ownerId, isFirst }: Placed): ((quickMs: number | undefined) => void) | undefined {
    const free = this.freeOf(endpointId);
    if ((isFirst ? free.firsts : free.retries) === 0 || this.all >= PLACES_MAX) return undefined;
    const standing = this.of(endpointId);
    const owner = this.byOwner.get(ownerId) ?? { all: 0, unproven: 0 };
    const isUnproven = standing.limit <= PLACES_OF_ENDPOINT.first;
    if (owner.all >= PLACES_OF_OWNER_MAX) return undefined;
    const isLaneFull = this.unproven >= UNPROVEN_PLACES_MAX || owner.unproven >= UNPROVEN_PLACES_OF_OWNER_MAX;
    if (isUnproven && isLaneFull) return undefined;
    const count = (by: 1 | -1): void => {
      this.all += by;
      owner.all += by;
      standing[isFirst ? 'firsts' : 'retries'] += by;
      if (!isUnproven) return;
      this.unproven += by;
      owner.unproven += by;
    };
    count(1);
    this.endpoints.set(endpointId, standing);
    this.byOwner.set(ownerId, owner);
    return (tookMs) => {
      count(-1);
      const { min, max, first } = PLACES_OF_ENDPOINT;
      const isQuick = tookMs !== undefined && tookMs <= QUICK_ANSWER_MS;
      standing.limit = isQuick ? Math.min(max, standing.limit + 1) : Math.max(min, Math.floor(standing.limit / 2));
      // What is as it was at first need not be remembered.
      const isIdle = standing.firsts + standing.retries === 0;
      if (isIdle && standing.limit === first) this.endpoints.delete(endpointId);
      if (owner.all === 0) this.byOwner.delete(ownerId);
    };
  }

  private of(endpointId: string): Standing {
    return this.endpoints.get(endpointId) ?? { limit: PLACES_OF_ENDPOINT.first, firsts: 0, retries: 0 };
  }
}
