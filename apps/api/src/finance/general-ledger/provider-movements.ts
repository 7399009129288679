import { Injectable } from '@nestjs/common';
import type { ProviderMoved } from '@app/domain';
import type { GeneralLedgerQueries } from '@app/projections';
import { BooksStream } from './books-stream.js';

/** A movement as the provider tells it; when it is posted follows from what is closed. */
export type ToldMovement = Omit<ProviderMoved, 'type' | 'postedAt' | 'at'>;

/** Movements in one append. */
const BATCH = 200;
const BY = { actor: 'process' } as const;
/** A reconciliation goes on in the background: it waits longer for the read model than a request would. */
const PATIENT = { waitMs: 60_000 };

/** Records the movements of the provider's balance, each once (rule finance-7). */
@Injectable()
export class ProviderMovements {
  constructor(private readonly stream: BooksStream) {}

  /**
   * Whether the books take movements of this mode: real money and play money never share them, and play money has no
   * place before Nova was bought with it.
   */
  async takes({ livemode }: { readonly livemode: boolean }): Promise<boolean> {
    return (await (await this.stream.current(PATIENT)).isPlay()) !== livemode;
  }

  /** The moment until which all movements are recorded; undefined before the first look. */
  async readUntil(): Promise<Date | undefined> {
    const [mark] = await (await this.stream.current(PATIENT)).marks('read');
    return mark?.until;
  }

  /**
   * Records a part of the provider's movements that has no gap to what was recorded before.
   * @param until everything before this moment is among them
   * @throws AppError 503, and what reading them throws
   */
  async record(movements: AsyncIterable<ToldMovement>, until: Date): Promise<void> {
    let batch: ToldMovement[] = [];
    for await (const movement of movements) {
      batch.push(movement);
      if (batch.length < BATCH) continue;
      await this.write(batch);
      batch = [];
    }
    await this.write(batch);
    const at = Date.now();
    await this.stream.append(
      async (books) => {
        const [mark] = await books.marks('read');
        return mark && mark.until >= until ? [] : [{ type: 'ProviderRead', until: until.getTime(), at }];
      },
      BY,
      PATIENT,
    );
  }

  private async write(movements: readonly ToldMovement[]): Promise<void> {
    if (movements.length === 0) return;
    await this.stream.append(
      async (books) => {
        const [known, open] = [
          await books.known(movements.map(({ movementId }) => movementId)),
          await firstOpen(books),
        ];
        const at = Date.now();
        return movements
          .filter(({ movementId }) => !known.has(movementId))
          .map((movement) => ({
            type: 'ProviderMoved',
            ...movement,
            postedAt: Math.max(movement.createdAt, open),
            at,
          }));
      },
      BY,
      PATIENT,
    );
  }
}

/** The first moment that is not closed, in milliseconds since 1970. */
export async function firstOpen(books: Pick<GeneralLedgerQueries, 'marks'>): Promise<number> {
  const [closed] = await books.marks('closed');
  return closed ? closed.until.getTime() + 1 : 0;
}
