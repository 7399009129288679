import type { TestApi, TestMember } from './api.js';
import { grantNova } from './money.js';

export interface OpenChat {
  readonly chatId: string;
  readonly initiator: TestMember;
  readonly host: TestMember;
}

/** Two new members and a request between them. */
export async function requestedChat(api: TestApi, admin: TestMember): Promise<OpenChat> {
  const [initiator, host] = [await api.member(), await api.member()];
  await grantNova(admin, initiator.id, 10_000);
  return { chatId: await requestChat(initiator, host), initiator, host };
}

export async function requestChat(initiator: TestMember, host: TestMember): Promise<string> {
  const { status, body } = await initiator.browser.post('/api/chats/initiate', { hostId: host.id });
  if (status !== 201) throw new Error(`requesting failed: ${status} ${JSON.stringify(body)}`);
  return body.chatId as string;
}

/** Two new members and an active chat between them. */
export async function activeChat(api: TestApi, admin: TestMember): Promise<OpenChat> {
  const chat = await requestedChat(api, admin);
  await acceptChat(chat);
  return chat;
}

export async function acceptChat({ chatId, host }: OpenChat): Promise<void> {
  const { status, body } = await host.browser.post(`/api/chats/accept-request/${chatId}`);
  if (status !== 200 && status !== 201) throw new Error(`accepting failed: ${status} ${JSON.stringify(body)}`);
}
