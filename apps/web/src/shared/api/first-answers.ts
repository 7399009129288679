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

/** The answer to a GET of this address: once, and only while the page is new. */
export function takeFirstAnswer(path: string): readonly [status: number, body: unknown] | undefined {
  if (performance.now() > KEPT_MS) forgetFirstAnswers();
  answers ??= read();
  const answer = answers[path];
  delete answers[path];
  return answer;
}

/** A command may have changed what they say. */
export function forgetFirstAnswers(): void {
  answers = {};
}
