import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';
import { AppError } from '../../platform/errors/app-error.js';
import { DEMO_UPVOTES, DEMO_WALL_COMMENTS } from './demo-attention.js';
import { DemoEngagement } from './demo-engagement.js';
import { DemoFiles } from './demo-files.js';
import { DemoIntroductions } from './demo-introductions.js';
import { DEMO_PEOPLE } from './demo-people.js';
import { DEMO_POSTS, type DemoPost } from './demo-posts.js';
import { SeededRandom } from './seeded-random.js';

/** Any number: one process makes the showcase, the others leave it to that one. */
const SHOWCASE_LOCK = 7_266_182_003;
/** Drawing keeps a processor busy; those who are served meanwhile need some of it. */
const AT_ONCE = 2;
const LOOKS_AT_ONCE = 6;
/** How many cards each member has unlocked, and how many others they follow. */
const UNLOCKED = 3;
const FOLLOWED = 4;

type Work = () => Promise<void>;

/** Fills a demo installation with portraits, clips, posts and attention, while it is being served already. */
@Injectable()
export class DemoShowcase implements BeforeApplicationShutdown {
  private readonly logger = new Logger(DemoShowcase.name);
  private readonly stopped = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly files: DemoFiles,
    private readonly introductions: DemoIntroductions,
    private readonly engagement: DemoEngagement,
  ) {}

  /** Makes what is not there yet. It never fails: what could not be made is made at the next start. */
  fill(log: (line: string) => void): Promise<void> {
    this.running = this.fillUnlessDone(log).catch((error: unknown) => {
      if (this.stopped.signal.aborted) return;
      this.logger.warn({ err: error }, 'the demo portraits and posts are not complete');
      log('Not all demo portraits and posts could be made; the next start goes on with them.');
    });
    return this.running;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  private async fillUnlessDone(log: (line: string) => void): Promise<void> {
    if (await this.files.allDone()) return;
    const client = await this.pool.connect();
    try {
      const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
        SHOWCASE_LOCK,
      ]);
      if (!rows[0]?.mine) return;
      try {
        await this.fillNow(log);
      } finally {
        await client.query('select pg_advisory_unlock($1)', [SHOWCASE_LOCK]);
      }
    } finally {
      client.release();
    }
  }

  private async fillNow(log: (line: string) => void): Promise<void> {
    log('Painting portraits, clips and posts of the demo members in the background (once) …');
    const start = performance.now();
    const ids = await this.memberIds();
    await this.introduce(ids);
    await this.meet(ids);
    await this.post(ids);
    await this.files.markAllDone();
    log(
      `The demo members have their portraits, clips and posts (${((performance.now() - start) / 1000).toFixed(1)} s).`,
    );
  }

  /** Of those who are still there, by the name in their e-mail address, always in the same order. */
  private async memberIds(): Promise<Map<string, string>> {
    const { rows } = await this.pool.query<{ id: string; email_key: string }>(
      'select id, email_key from accounts where email_key = any($1) and closed_at is null',
      [DEMO_PEOPLE.map(({ email }) => email)],
    );
    const ids = new Map(rows.map(({ id, email_key }) => [email_key, id]));
    return new Map(
      DEMO_PEOPLE.flatMap(({ email }) => {
        const id = ids.get(email);
        return id === undefined ? [] : [[nameIn(email), id] as const];
      }),
    );
  }

  private async introduce(ids: ReadonlyMap<string, string>): Promise<void> {
    const people = DEMO_PEOPLE.flatMap((person) => {
      const id = ids.get(nameIn(person.email));
      return id === undefined ? [] : [{ id, person }];
    });
    await this.each(
      LOOKS_AT_ONCE,
      people.map(
        ({ id, person }) =>
          () =>
            this.introductions.describe(id, person),
      ),
    );
    await this.each(
      AT_ONCE,
      people.map(
        ({ id, person }) =>
          () =>
            this.introductions.showPicture(id, person),
      ),
    );
    await this.each(
      AT_ONCE,
      people.map(
        ({ id, person }) =>
          () =>
            this.introductions.showCard(id, person),
      ),
    );
  }

  /** Follows, unlocks, gifts and words on walls. */
  private async meet(ids: ReadonlyMap<string, string>): Promise<void> {
    const perMember = [...ids].map(([name, id]): Work => async () => {
      const random = new SeededRandom(`${name} meets`);
      const others = [...ids].filter(([other]) => other !== name);
      for (const [, other] of random.some(others, FOLLOWED)) await this.engagement.follow(id, other);
      for (const [, other] of random.some(others, UNLOCKED)) await this.engagement.upvote(id, other, 1);
    });
    const upvotes = DEMO_UPVOTES.map(([from, to, times]): Work => async () => {
      const [viewer, owner] = [ids.get(from), ids.get(to)];
      if (viewer !== undefined && owner !== undefined) await this.engagement.upvote(viewer, owner, times);
    });
    const comments = DEMO_WALL_COMMENTS.map(([from, to, words]): Work => async () => {
      const [writer, owner] = [ids.get(from), ids.get(to)];
      if (writer !== undefined && owner !== undefined) await this.engagement.comment(writer, owner, words);
    });
    await this.each(LOOKS_AT_ONCE, perMember);
    await this.each(LOOKS_AT_ONCE, upvotes);
    await this.each(1, comments);
  }

  private async post(ids: ReadonlyMap<string, string>): Promise<void> {
    // One after another: their order in the feed is that of their list.
    for (const [number, post] of DEMO_POSTS.entries()) {
      const authorId = ids.get(nameIn(post.author));
      if (authorId === undefined) continue;
      await this.each(1, [() => this.publish(authorId, post, { number, ids })]);
    }
  }

  private async publish(
    authorId: string,
    post: DemoPost,
    { number, ids }: { readonly number: number; readonly ids: ReadonlyMap<string, string> },
  ): Promise<void> {
    const postId = await this.engagement.publish(authorId, post, number);
    const random = new SeededRandom(`post ${number}`);
    const others = [...ids].filter(([, id]) => id !== authorId);
    const viewers = random.some(others, Math.round(others.length * post.reach));
    await this.each(
      LOOKS_AT_ONCE,
      viewers.map(
        ([name, id]) =>
          () =>
            this.engagement.look(id, postId, `${name} looks at ${number}`),
      ),
    );
  }

  /** Does all of it, so much at once, until the process is asked to stop. Nothing is under way any more when it returns. */
  private async each(atOnce: number, work: readonly Work[]): Promise<void> {
    const left = work.values();
    const worker = async (): Promise<void> => {
      for (const one of left) {
        this.stopped.signal.throwIfAborted();
        await this.unlessRefused(one);
      }
    };
    const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker));
    for (const end of ended) if (end.status === 'rejected') throw end.reason;
  }

  /** What members have changed meanwhile may stand in the way of one thing: it is left out, the rest is made. */
  private async unlessRefused(one: Work): Promise<void> {
    try {
      await one();
    } catch (error) {
      if (!(error instanceof AppError) || error.statusCode >= 500) throw error;
      this.logger.warn({ err: error }, 'one thing of the demo was refused and is left out');
    }
  }
}

const nameIn = (email: string): string => email.split('@', 1)[0] ?? email;
