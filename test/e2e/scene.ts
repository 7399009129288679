import type { BrowserContext, Page, Request } from '@playwright/test';

/** The longest text in a report. */
const TEXT_MAX = 300;

/**
 * Records what the pages of a test show and wait for, to report it when the test fails: its browsers are gone by then.
 */
export class Scene {
  readonly #contexts = new Set<BrowserContext>();
  readonly #unanswered = new Map<Request, number>();

  watch(context: BrowserContext): void {
    this.#contexts.add(context);
    context.once('close', () => this.#contexts.delete(context));
    context.on('request', (request) => this.#unanswered.set(request, performance.now()));
    context.on('requestfinished', (request) => this.#unanswered.delete(request));
    context.on('requestfailed', (request) => this.#unanswered.delete(request));
  }

  async told(): Promise<string> {
    const pages = [...this.#contexts].flatMap((context) => context.pages());
    const told = await Promise.all(pages.map((page) => tell(page).catch(String)));
    return [...told, ...this.#waits()].join('\n');
  }

  #waits(): string[] {
    const now = performance.now();
    return [...this.#unanswered].map(
      ([request, since]) => `unanswered for ${Math.round(now - since)} ms: ${request.method()} ${request.url()}`,
    );
  }
}

async function tell(page: Page): Promise<string> {
  const { state, depth, texts } = await page.evaluate(() => {
    const said = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].map((it) => it.innerText);
    return {
      state: JSON.stringify(history.state),
      depth: history.length,
      texts: [...said('[role=dialog], [role=alertdialog]'), ...said('[data-sonner-toast]'), ...said('main')],
    };
  });
  const lines = texts.map((text) => `  ${text.replaceAll(/\s+/g, ' ').slice(0, TEXT_MAX)}`);
  return [`${page.url()} (history: ${depth} steps, ${state})`, ...lines].join('\n');
}
