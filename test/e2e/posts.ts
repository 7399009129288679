import { expect, type APIRequestContext, type Page } from '@playwright/test';
import { picture } from '../support/media.js';
import { withoutFirstAnswers } from './nova.js';

const jpeg = (): Promise<Buffer> => picture(640, 480).jpeg().toBuffer();

interface NewPost {
  caption?: string;
  hashtags?: string[];
  file?: Buffer;
}

/** A post in the feed. @returns its id */
export async function publish(request: APIRequestContext, { file, ...words }: NewPost = {}): Promise<string> {
  const ticket = await (await request.post('/api/content/upload-url', { data: {} })).json();
  const sent = await request.put(ticket.uploadURL, { data: file ?? (await jpeg()) });
  expect(sent.ok(), await sent.text()).toBe(true);
  const answer = await request.post('/api/content/scroll-feed', { data: { mediaUrl: ticket.mediaUrl, ...words } });
  expect(answer.status(), await answer.text()).toBe(201);
  return (await answer.json()).id;
}

/** The feed as if only these members had posted: tests share one installation. */
export async function onlyPosts(page: Page, ids: readonly string[]): Promise<void> {
  await withoutFirstAnswers(page);
  await page.route('**/api/content/feed?*', async (route) => {
    const answers = await Promise.all(ids.map((id) => page.request.get(`/api/content/posts/${id}`)));
    const posts = await Promise.all(answers.filter((answer) => answer.ok()).map((answer) => answer.json()));
    await route.fulfill({ json: { posts, hasMore: false } });
  });
}
