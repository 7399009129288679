import DataLoader from 'dataloader';
import pLimit from 'p-limit';

interface GroupLimits {
  /** Queries that run at the same time. */
  readonly queriesMax: number;
  /** Questions in one query; more wait for the next. */
  readonly questionsMax: number;
}

/**
 * Answers single questions with shared queries: questions that arrive while queries run share the next query. It caches
 * nothing, so every answer comes from a query sent after its question. The more questions there are, the less each costs.
 * @param ask answers in the order of the questions. If it fails, all of its questions fail with the same error
 */
export function groupedLoader<K, V>(
  ask: (questions: readonly K[]) => Promise<V[]>,
  { queriesMax, questionsMax }: GroupLimits,
): (question: K) => Promise<V> {
  const limit = pLimit(queriesMax);
  let answer: Promise<unknown> | undefined;
  const load = (questions: readonly K[]): Promise<V[]> => {
    const answers = ask(questions);
    answer = answers;
    return answers;
  };
  const loader = new DataLoader<K, V>(load, {
    cache: false,
    maxBatchSize: questionsMax,
    batchScheduleFn: (dispatch) => {
      void limit(async () => {
        dispatch();
        await answer?.catch(() => undefined);
      });
    },
  });
  return (question) => loader.load(question);
}

/** Finds the values of keys with one query; keys without a value are absent. */
export type FindMany<V> = (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>;

/** Finds the value of a key, or undefined, with one query at a time for at most 500 keys. */
export const groupedLookups = <V>(findMany: FindMany<V>): ((key: string) => Promise<V | undefined>) =>
  groupedLoader(
    async (keys: readonly string[]) => {
      const found = await findMany([...new Set(keys)]);
      return keys.map((key) => found.get(key));
    },
    { queriesMax: 1, questionsMax: 500 },
  );
