import { z } from 'zod';
import { Explained } from '../platform/errors/explained.js';

/** Raised when older programs could not restore what newer ones write. */
const FORMAT = 1;

const size = z.number().int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** Below the data folder, and never out of it. */
const file = z.object({
  path: z.string().regex(/^(?!.*\.\.)[\w.-]+(?:\/[\w.-]+)*$/),
  bytes: size,
  sha256,
});

const MANIFEST = z.object({
  format: z.literal(FORMAT),
  name: z.string(),
  /** When the database was read: all tables at that one moment. ISO 8601. */
  at: z.iso.datetime(),
  /** Steps of the database's schema that were done, by their names. */
  migrations: z.array(z.string()),
  /** Whether the events are among the tables; else they are in an event store, which has backups of its own. */
  hasJournal: z.boolean(),
  /** How far the journal in the event store was when the database was about to be read: it must be as far once it is back. */
  journalEnd: z.object({ revision: size, hash: sha256 }).optional(),
  tables: z.array(
    z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()), rows: size, bytes: size, sha256 }),
  ),
  sequences: z.array(z.object({ schema: z.string(), name: z.string(), last: z.string().regex(/^-?\d+$/) })),
  /** Members' files; empty where they are in a bucket. */
  files: z.array(file),
  /** What the installation made for itself and keeps to itself; empty unless it was asked for. */
  secrets: z.array(file),
});

/** What a backup consists of. It is written last: without it there is no backup. */
export type Manifest = z.infer<typeof MANIFEST>;
export type BackedUpTable = Manifest['tables'][number];
export type BackedUpFile = Manifest['files'][number];

export const newManifest = (given: Omit<Manifest, 'format'>): Manifest => ({ format: FORMAT, ...given });

/** @throws Explained the text is none, or of another version */
export function readManifest(text: string): Manifest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new Explained('The backup’s list of contents is damaged. Take another backup.', { cause });
  }
  const format = z.object({ format: z.number() }).safeParse(json).data?.format;
  if (format !== undefined && format !== FORMAT) {
    throw new Explained(
      `The backup has format ${format}, and this release reads format ${FORMAT}. Restore it with the release that made it.`,
    );
  }
  const { data, error } = MANIFEST.safeParse(json);
  if (error) throw new Explained('The backup’s list of contents is damaged. Take another backup.', { cause: error });
  return data;
}

/** Names sort by time. */
export const nameAt = (at: Date): string => `nova-${at.toISOString().replace(/\.\d+/, '').replaceAll(':', '')}`;

const NAME = /^nova-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** When a backup of this name was made; undefined where it is no name of one. */
export function timeOf(name: string): Date | undefined {
  const [, day, hours, minutes, seconds] = NAME.exec(name) ?? [];
  return day === undefined ? undefined : new Date(`${day}T${hours}:${minutes}:${seconds}Z`);
}

export const manifestKey = (name: string): string => `${name}/manifest.json`;
export const tableKey = (name: string, { schema, name: table }: Pick<BackedUpTable, 'schema' | 'name'>): string =>
  `${name}/tables/${schema}.${table}.gz`;
/** Files never change, so all backups of a place share them. */
export const contentKey = (hash: string): string => `files/${hash}`;
export const secretKey = (name: string, path: string): string => `${name}/secrets/${path}`;
