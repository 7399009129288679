import type { ChatEvent, MemberEvent } from '@app/domain';

const MINOR = new Set(['price', 'due']);

/** Until the domain has its own codecs. */
export const decodeChatEvent = (type: string, json: string): ChatEvent =>
  ({
    ...(JSON.parse(json, (name, value: unknown) => (MINOR.has(name) ? BigInt(value as string) : value)) as object),
    type,
  }) as ChatEvent;

export const decodeMemberEvent = (type: string, json: string): MemberEvent =>
  ({ ...(JSON.parse(json) as object), type }) as MemberEvent;
