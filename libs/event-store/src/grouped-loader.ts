import DataLoader from 'dataloader';
import pLimit from 'p-limit';

interface GroupLimits {
  /** Queries under way at once. */
  readonly queriesMax: number;
  /** Questions of one query; more go with the next. */
  readonly questionsMax: number;
}

/**
 * Answers single questions with queries that they share: those that come while queries are under way go together with the next.
 * Nothing is remembered: each is answered by a query that was sent after it was asked. The more there are, the less each costs.
 * @param ask answers in the order of the questions; what it fails with, all of its questions fail with
 */
export function groupedLoader<K, V>(
  ask: (questions: readonly K[]) => Promise<V[]>,
  { queriesMax, questionsMax }: GroupLimits,
): (question: K) => Promise<V> {
  const turn = pLimit(queriesMax);
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
      void turn(async () => {
        dispatch();
        await answer?.catch(() => undefined);
      });
    },
  });
  return (question) => loader.load(question);
}

/** Finds the values of keys with one query; keys that have none are absent. */
export type FindMany<V> = (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>;

/** Finds the value of a key, or undefined: one query at a time, for 500 keys at most, each of them once. */
export const groupedLookups = <V>(findMany: FindMany<V>): ((key: string) => Promise<V | undefined>) =>
  groupedLoader(
    async (keys: readonly string[]) => {
      const found = await findMany([...new Set(keys)]);
      return keys.map((key) => found.get(key));
    },
    { queriesMax: 1, questionsMax: 500 },
  );
