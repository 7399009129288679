import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { ZipFile } from 'yazl';
import { DELETED_MEMBER, MemberDirectory } from '../identity/member-directory.js';
import { AccountTakeout, type TakeoutList } from '../platform/account-takeout.js';
import { FreeSpace } from '../platform/uploads/free-space.js';

const README = `This is everything that Nova keeps of you.

index.json      what is in this file
*.json          lists of rows; amounts are in quotes because they are exact, times are UTC
files/          pictures and videos that you sent

Other members are named by their id and by the name that you see in Nova. What they wrote is not here: it is theirs.
docs/accounts.md of Nova's source says what each list holds.
`;

/** The file would be larger than takeouts may be. */
export class TakeoutTooLarge extends Error {
  override readonly name = 'TakeoutTooLarge';
}

export interface ArchiveRequest {
  readonly accountId: string;
  readonly orderedAt: Date;
  /** The local file to write. */
  readonly target: string;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
  readonly onPart: (done: number, parts: number) => void;
}

type Row = Readonly<Record<string, unknown>>;

/**
 * Writes everything of a member into a ZIP file (rule accounts-25). yazl writes it as a stream, entry after entry, with
 * one small dependency, and beyond 4 GB (Zip64): neither rows nor files are in memory as a whole.
 */
@Injectable()
export class TakeoutArchive {
  constructor(
    private readonly takeout: AccountTakeout,
    private readonly directory: MemberDirectory,
    private readonly space: FreeSpace,
  ) {}

  /** @returns its size in bytes. @throws TakeoutTooLarge, AbortError, AppError 503 */
  async write({ accountId, orderedAt, target, bytesMax, signal, onPart }: ArchiveRequest): Promise<number> {
    const files = await this.takeout.filesOf(accountId);
    await this.space.need(files.reduce((sum, { bytes }) => sum + bytes, 0));
    const parts = this.takeout.lists.length + files.length;
    const zip = new ZipFile();
    const size = new LimitedSize(bytesMax);
    const broken = new Promise<never>((_, reject) => {
      zip.on('error', reject);
    });
    const written = pipeline(zip.outputStream, size, createWriteStream(target, { mode: 0o600 }), { signal });
    // Whatever fails first is told by the race.
    broken.catch(() => undefined);
    written.catch(() => undefined);
    const add = async (
      path: string,
      content: Readable,
      { compress }: { readonly compress: boolean },
    ): Promise<void> => {
      zip.addReadStream(content, path, { mtime: orderedAt, compress });
      try {
        await Promise.race([finished(content, { signal }), broken, written]);
      } finally {
        // Gives back what it reads from, where something else failed.
        content.destroy();
      }
    };
    const told: { path: string; rows: number }[] = [];
    let done = 0;
    await add('README.txt', Readable.from([README]), { compress: true });
    for (const list of this.takeout.lists) {
      const path = `${list.path}.json`;
      const counted = { path, rows: 0 };
      await add(path, Readable.from(this.json(list, accountId, counted)), { compress: true });
      told.push(counted);
      onPart((done += 1), parts);
    }
    for (const { path, open } of files) {
      const content = await open();
      if (content) await add(path, content, { compress: false });
      onPart((done += 1), parts);
    }
    const index = { product: 'Nova', accountId, orderedAt, lists: told, files: files.map(({ path }) => path) };
    await add('index.json', Readable.from([`${JSON.stringify(index, null, 2)}\n`]), { compress: true });
    zip.end();
    await Promise.race([written, broken]);
    return size.bytes;
  }

  /** A row a line, so that a list of any length can be read line by line as well. */
  private async *json(
    { rows, members }: TakeoutList,
    accountId: string,
    counted: { rows: number },
  ): AsyncGenerator<string, void> {
    let before = '[\n';
    for await (const batch of rows(accountId)) {
      const named = await this.named(batch, members);
      for (const row of named) {
        yield `${before}${JSON.stringify(row)}`;
        before = ',\n';
      }
      counted.rows += batch.length;
    }
    yield before === '[\n' ? '[]\n' : '\n]\n';
  }

  /** Other members as the product shows them: who is gone has no id. */
  private async named(rows: readonly Row[], columns: readonly string[]): Promise<readonly Row[]> {
    if (columns.length === 0) return rows;
    const idOf = (row: Row, column: string): string | undefined => {
      const id = row[column];
      return typeof id === 'string' ? id : undefined;
    };
    const ids = rows.flatMap((row) => columns.flatMap((column) => idOf(row, column) ?? []));
    const members = await this.directory.find(ids);
    const shown = (id: string | undefined): [id: string | null, name: string | null] => {
      if (id === undefined) return [null, null];
      const member = members.get(id);
      return member && !member.closed ? [id, member.displayName] : [null, DELETED_MEMBER];
    };
    return rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).flatMap(([name, value]) => {
          if (!columns.includes(name)) return [[name, value]];
          const [id, displayName] = shown(idOf(row, name));
          return [
            [name, id],
            [name.replace(/Id$/, 'Name'), displayName],
          ];
        }),
      ),
    );
  }
}

/** Lets bytes pass up to a limit. */
class LimitedSize extends Transform {
  bytes = 0;

  constructor(private readonly bytesMax: number) {
    super();
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: (error: Error | null, chunk?: Buffer) => void): void {
    this.bytes += chunk.length;
    if (this.bytes > this.bytesMax) done(new TakeoutTooLarge(`a takeout has more than ${this.bytesMax} bytes`));
    else done(null, chunk);
  }
}
