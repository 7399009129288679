import { expect, type Browser } from '@playwright/test';
import { adminContext } from './nova.js';

export const HOUR_MS = 3_600_000;

/** Quests are for everybody: each test recognises its own by their titles. */
export interface QuestDraft {
  title: string;
  type?: string;
  target?: number;
  reward?: number;
  lastsMs?: number;
}

export async function makeQuest(browser: Browser, quest: QuestDraft): Promise<string> {
  const { title, type = 'gifts_sent', target = 1, reward = 250, lastsMs = HOUR_MS } = quest;
  const admin = await adminContext(browser);
  try {
    const answer = await admin.request.post('/api/admin/quests', {
      data: {
        title,
        description: 'Make somebody’s day. <b>Really</b>.',
        reward,
        startTime: new Date(Date.now() - 60_000).toISOString(),
        endTime: new Date(Date.now() + lastsMs).toISOString(),
        rules: { type, target },
      },
    });
    expect(answer.status(), await answer.text()).toBe(201);
    return (await answer.json()).id;
  } finally {
    await admin.close();
  }
}
