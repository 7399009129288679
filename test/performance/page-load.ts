import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext } from '@playwright/test';

/** Nothing arrives for so long: the page has what it begins with. */
const QUIET_MS = 1_500;
const LOAD_MS_MAX = 30_000;
/** The loop behind the landing screen, which comes after the first picture. */
const LOOP = /\/landing\.(?:webm|mp4)$/;

export interface PageLoad {
  readonly requests: number;
  /** As they came over the line, with headers. */
  readonly bytes: number;
  /** Of these, the landing screen's loop. */
  readonly loopBytes: number;
}

/** Opens a page in a context, with whatever its cache has, and counts what it fetches until nothing arrives any more. */
export async function loadPage(context: BrowserContext, url: string): Promise<PageLoad> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const urls = new Map<string, string>();
  const bytes = new Map<string, number>();
  let heardAt = performance.now();
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    heardAt = performance.now();
    if (request.url.startsWith('http')) urls.set(requestId, request.url);
  });
  devtools.on('Network.dataReceived', () => (heardAt = performance.now()));
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => bytes.set(requestId, encodedDataLength));
  await devtools.send('Network.enable');
  const begun = performance.now();
  await page.goto(url);
  while (performance.now() - heardAt < QUIET_MS && performance.now() - begun < LOAD_MS_MAX) await pause(50);
  await page.close();
  const sum = (of: (url: string) => boolean) =>
    [...urls].filter(([, each]) => of(each)).reduce((all, [id]) => all + (bytes.get(id) ?? 0), 0);
  return { requests: urls.size, bytes: sum(() => true), loopBytes: sum((each) => LOOP.test(each)) };
}
