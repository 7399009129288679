import { Inject, Injectable } from '@nestjs/common';
import { type EventStore, StoreUnavailable, upcast, WrongExpectedRevision } from '@app/event-store';
import { Projections } from '@app/projections';
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../errors/app-error.js';
import { APPEND_DEADLINE_MS, appendUntilKnown, storeUnavailable } from './append-until-known.js';
import type { OpenLedger } from '../ledger/open-ledger.js';
import { OPEN_LEDGER } from '../ledger/injected-ledger.js';
import { type By, StreamMetadata } from './stream-metadata.js';
import { EVENT_STORE } from './injected-journal.js';

/** Two browsers of a member, and the process manager, may meet at one stream. */
const CONFLICTS_MAX = 10;

/** A command is answered after this time at the latest; what members see then follows within moments. */
const WAIT_MS = 1_000;

/** A stream that is short enough to be read whole before every change, and how its events are read and written. */
export interface StreamRules<S, E> {
  readonly stream: string;
  readonly initial: S;
  readonly evolve: (state: S, event: E) => S;
  readonly decode: (type: string, data: string) => E;
  readonly encode: (event: E) => string;
}

export type Decided<E> = { readonly events: readonly E[] };

/** Decides on the events so far and appends: for every stream except the ledger's and the chats'. */
@Injectable()
export class DecidedStreams {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(OPEN_LEDGER) private readonly ledger: Pick<OpenLedger, 'clock'>,
    private readonly runner: Projections,
    private readonly metadata: StreamMetadata,
  ) {}

  /**
   * `decide` may be asked again when somebody else was first. What has no events changes nothing. `nowMs` is journal time.
   * @throws AppError 503
   */
  async execute<S, E extends { readonly type: string }, D extends Decided<E> | { readonly rejection: unknown }>(
    rules: StreamRules<S, E>,
    decide: (state: S, nowMs: number) => D,
    by: By,
  ): Promise<D> {
    const deadline = performance.now() + APPEND_DEADLINE_MS;
    const metadata = this.metadata.of(by);
    for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts++) {
      const { state, revision } = await this.read(rules);
      const decision = decide(state, this.ledger.clock.now());
      if (!('events' in decision) || decision.events.length === 0) return decision;
      const events = decision.events.map((event) => ({
        id: uuidv7(),
        type: event.type,
        data: rules.encode(event),
        metadata,
      }));
      try {
        const expected = revision < 0 ? 'none' : revision;
        await appendUntilKnown(this.store, { stream: rules.stream, events, expected, deadline });
        return decision;
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
      }
    }
    throw new AppError(503, 'BUSY', 'Too much at once. Nothing was done; please try again.', { retryAfterSeconds: 1 });
  }

  /** Waits, for a moment at most, until these read models hold what the stream has now. */
  async caughtUp(models: readonly string[], stream: string): Promise<void> {
    const head = await this.store.head(stream);
    if (head) await this.runner.waitForPosition(models, head.position, WAIT_MS);
  }

  /** @throws AppError 503 */
  async read<S, E>(rules: StreamRules<S, E>): Promise<{ readonly state: S; readonly revision: number }> {
    let { initial: state } = rules;
    let revision = -1;
    try {
      for await (const batch of this.store.readStream(rules.stream)) {
        for (const { type, data, isForeign } of batch) {
          if (!isForeign) state = rules.evolve(state, rules.decode(type, upcast(type, data)));
          revision += 1;
        }
      }
    } catch (error) {
      throw error instanceof StoreUnavailable ? storeUnavailable(error) : error;
    }
    return { state, revision };
  }
}
