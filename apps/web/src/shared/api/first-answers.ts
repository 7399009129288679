/** By then a page has asked for what it begins with. */
const KEPT_MS = 10_000;

type Answers = Record<string, readonly [status: number, body: unknown]>;

let answers: Answers | undefined;

/** What the server answered before it was asked, within the page (`apps/api/src/page-starts.ts`). */
function read(): Answers {
  const text = typeof document === 'undefined' ? undefined : document.getElementById('first-answers')?.textContent;
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
