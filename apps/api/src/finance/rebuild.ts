import type { EventStore } from '@app/event-store';
import { readModels, rebuildReadModels, type RebuildOptions, type RebuildOutcome } from '@app/projections';

/** Names that `npm run -s ledger -- rebuild` takes. */
export const READ_MODELS: readonly string[] = ['all', ...readModels.map(({ name }) => name)];

export const isReadModel = (name: string): boolean => READ_MODELS.includes(name);

export interface RebuildCall {
  readonly store: EventStore;
  readonly connectionString: string;
  /** A read model's name, or `all`. */
  readonly name: string;
  readonly onDifference: NonNullable<RebuildOptions['onDifference']>;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/** Rebuilds on a running system or on one that stands still: beside the live tables, which stay where they differ. */
export async function rebuild({ name, onProgress, ...call }: RebuildCall): Promise<RebuildOutcome[]> {
  const models = readModels.filter((model) => name === 'all' || model.name === name);
  return await rebuildReadModels({
    ...call,
    models,
    onProgress: ({ eventsDone, eventsTotal }) => onProgress?.('Rebuild', eventsDone, eventsTotal),
  });
}

/** One line of what became of a read model. */
export function sentenceOf({ name, swapped, matched, difference, revision }: RebuildOutcome): string {
  if (!swapped) return `KEPT  ${name}: ${difference ?? ''} Nothing was changed; --replace takes the journal's rows.`;
  const rebuilt = `ok    ${name}: rebuilt up to revision ${revision} and swapped in.`;
  if (difference !== undefined) return `${rebuilt} ${difference} They were replaced.`;
  return `${rebuilt} ${matched ? 'Old and new are the same.' : 'The old one was of another release.'}`;
}
