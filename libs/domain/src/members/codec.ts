import { FactCodec } from '../fact-codec.js';
import type { MemberEvent } from './events.js';

const BASE = { memberId: 'text', otherId: 'text', at: 'number' } as const;

const codec = new FactCodec<MemberEvent>({
  MemberFollowed: BASE,
  MemberUnfollowed: BASE,
  MemberBlocked: BASE,
  MemberUnblocked: BASE,
  MemberReported: { ...BASE, reportId: 'text' },
});

/** The bytes of a member event's data, as they are stored. */
export const encodeMemberEvent = (event: MemberEvent): string => codec.encode(event);

/** @throws UnreadableFact for what this version does not know */
export const decodeMemberEvent = (type: string, data: string): MemberEvent => codec.decode(type, data);
