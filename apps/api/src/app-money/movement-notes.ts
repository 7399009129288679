import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { InjectPool } from '../platform/database/database.module.js';

interface Note {
  readonly userId: string;
  readonly clientId: string;
  readonly note: string;
}

/** The notes that applications write with movements of Nova, in rows that can be erased (rule ledger-34). */
@Injectable()
export class MovementNotes {
  constructor(@InjectPool() private readonly pool: Pool) {}

  /** The row is written before the event that names it, so a crash cannot leave an event without its words. */
  async write({ userId, clientId, note }: Note): Promise<string> {
    const id = uuidv7();
    await this.pool.query({
      name: 'write-note',
      text: 'insert into movement_notes (id, user_id, client_id, note) values ($1, $2, $3, $4)',
      values: [id, userId, clientId, note],
    });
    return id;
  }

  /** Several, with ids of their own: those that were there before stay. Returns the ids that are new. */
  async writeMany(notes: readonly (Note & { readonly id: string })[]): Promise<string[]> {
    if (notes.length === 0) return [];
    const { rows } = await this.pool.query<{ id: string }>(
      `insert into movement_notes (id, user_id, client_id, note)
       select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) on conflict (id) do nothing returning id`,
      [
        notes.map(({ id }) => id),
        notes.map(({ userId }) => userId),
        notes.map(({ clientId }) => clientId),
        notes.map(({ note }) => note),
      ],
    );
    return rows.map(({ id }) => id);
  }

  /** The notes with these ids that are not erased, by id. */
  async find(ids: Iterable<string | null>): Promise<ReadonlyMap<string, string>> {
    const wanted = [...ids].filter((id) => id !== null);
    if (wanted.length === 0) return new Map();
    const { rows } = await this.pool.query<{ id: string; note: string }>(
      'select id, note from movement_notes where id = any($1::uuid[])',
      [wanted],
    );
    return new Map(rows.map(({ id, note }) => [id, note]));
  }

  /** Removes all notes of test clients. */
  async discardOf(clientIds: readonly string[]): Promise<void> {
    await this.pool.query('delete from movement_notes where client_id = any($1)', [clientIds]);
  }

  /** Removes the notes of movements that did not happen. */
  async discard(...ids: readonly string[]): Promise<void> {
    await this.pool.query('delete from movement_notes where id = any($1::uuid[])', [ids]);
  }
}
