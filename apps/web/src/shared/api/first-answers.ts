/** By then a page has asked for what it begins with. */
const KEPT_MS = 10_000;

type Answers = Record<string, readonly [status: number, body: unknown]>;

let answers: Answers | undefined;

/**
 * What the server answered before it was asked, within the page (`apps/api/src/page-starts.ts`). It does not stay there: the
 * page may outlive the member's session.
 */
function read(): Answers {
  const element = typeof document === 'undefined' ? null : document.getElementById('first-answers');
  element?.remove();
  const text = element?.textContent;
  // Our own server wrote it.
  return text ? (JSON.parse(text) as Answers) : {};
}

/**
 * The first page of a list, if the page brought it along for a GET of this address: for the list's first render. The list
 * then asks for it as ever, which takes the same answer.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- The caller knows what the address answers, as with api().
export function firstPage<T, P>(path: string, param: P): { pages: T[]; pageParams: P[] } | undefined {
  const [status, body] = kept()[path] ?? [];
  return status === 200 ? { pages: [body as T], pageParams: [param] } : undefined;
}

/** The answer to a GET of this address: once, and only while the page is new. */
export function takeFirstAnswer(path: string): readonly [status: number, body: unknown] | undefined {
  const all = kept();
  const answer = all[path];
  delete all[path];
  return answer;
}

function kept(): Answers {
  if (performance.now() > KEPT_MS) forgetFirstAnswers();
  answers ??= read();
  return answers;
}

/** A command may have changed what they say. */
export function forgetFirstAnswers(): void {
  answers = {};
}
