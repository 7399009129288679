import type { Type } from '@nestjs/common';
import { chatNotFound } from '../chats/chat-rejections.js';
import { createValidationPipe } from '../platform/errors/validation.js';
import { VideoGateway } from './video.gateway.js';

const ID = '018f0000-0000-7000-8000-000000000000';
const [, frame] = Reflect.getMetadata('design:paramtypes', VideoGateway.prototype, 'signal') as [unknown, Type];
const check = (value: object): Promise<unknown> =>
  createValidationPipe().transform(value, { type: 'body', metatype: frame });

describe('the frame of a signal', () => {
  it('hands the signal on as it came, and nothing that nobody asked for', async () => {
    const odd = ['then', 'length', 'size', 'toString', 'valueOf', 'hasOwnProperty', 'toJSON', 'byteLength'];
    const signal = Object.fromEntries(odd.flatMap((key) => [[key, { [key]: [1, null, { [key]: 'x' }] }]]));
    const found = await check({ type: 'video_signal', chatId: ID.toUpperCase(), sessionId: ID, signal, more: 1 });
    expect(found).toEqual({ chatId: ID, sessionId: ID, signal });
    expect(found).toHaveProperty('signal', signal);
  });

  it.each([
    [{ chatId: 'x', sessionId: 'x' }, 'CHAT_NOT_FOUND', chatNotFound().message],
    [{ chatId: ID, sessionId: 7 }, 'INVALID_FRAME', 'The frame needs a sessionId.'],
    [{ chatId: ID, sessionId: ID, signal: 'x' }, 'INVALID_SIGNAL', 'A signal is a JSON object of at most 32 kB.'],
  ])('names the first fault, in the order in which it looks: %j', async (value, code, message) => {
    await expect(check(value)).rejects.toMatchObject({ code, message });
  });
});
