import {
  BOOKS_STREAM,
  CARD_STREAM_PREFIX,
  CHAT_STREAM_PREFIX,
  CONTENT_STREAM_PREFIX,
  decodeBooksEvent,
  decodeChatEvent,
  decodeContentEvent,
  decodeEngagementEvent,
  decodeLedgerEvent,
  decodeMemberEvent,
  decodeModerationEvent,
  decodeQuestCountingEvent,
  decodeQuestEvent,
  ENGAGEMENT_STREAM_PREFIX,
  LEDGER_STREAM,
  MEMBER_STREAM_PREFIX,
  MODERATION_STREAM_PREFIX,
  PERKS_STREAM_PREFIX,
  QUEST_COUNTING_STREAM,
  QUEST_STREAM_PREFIX,
  unreadableAt,
} from '@app/domain';
import { upcast, type RecordedEvent } from '@app/event-store';
import type { ProjectedEvent, ReadModel } from '../read-model.js';
import { postingsOf } from './postings.js';

/** Decodes stored events for all read models at once. */
export const decodeEvents = (batch: readonly RecordedEvent[]): ProjectedEvent[] =>
  batch.map((recorded) => {
    try {
      return decodeEvent(recorded);
    } catch (error) {
      throw unreadableAt(`${recorded.stream}, revision ${recorded.revision}`, error);
    }
  });

function decodeEvent(recorded: RecordedEvent): ProjectedEvent {
  const { stream, type } = recorded;
  if (stream === LEDGER_STREAM) {
    const ledger = decodeLedgerEvent(type, upcast(type, recorded.data));
    return { recorded, ledger, postings: postingsOf(ledger.entries), time: timeText(ledger.at) };
  }
  if (stream.startsWith(CHAT_STREAM_PREFIX)) {
    const chat = decodeChatEvent(type, upcast(type, recorded.data));
    return { recorded, chat, postings: [], time: timeText(chat.at) };
  }
  if (stream.startsWith(MEMBER_STREAM_PREFIX)) {
    const member = decodeMemberEvent(type, upcast(type, recorded.data));
    return { recorded, member, postings: [], time: timeText(member.at) };
  }
  if (stream.startsWith(CONTENT_STREAM_PREFIX) || stream.startsWith(CARD_STREAM_PREFIX)) {
    const content = decodeContentEvent(type, upcast(type, recorded.data));
    return { recorded, content, postings: [], time: timeText(content.at) };
  }
  if (stream.startsWith(ENGAGEMENT_STREAM_PREFIX) || stream.startsWith(PERKS_STREAM_PREFIX)) {
    const engagement = decodeEngagementEvent(type, upcast(type, recorded.data));
    return { recorded, engagement, postings: [], time: timeText(engagement.at) };
  }
  if (stream.startsWith(QUEST_STREAM_PREFIX)) {
    const quest = decodeQuestEvent(type, upcast(type, recorded.data));
    return { recorded, quest, postings: [], time: timeText(quest.at) };
  }
  if (stream === QUEST_COUNTING_STREAM) {
    const questCounting = decodeQuestCountingEvent(type, upcast(type, recorded.data));
    return { recorded, questCounting, postings: [], time: timeText(questCounting.at) };
  }
  if (stream.startsWith(MODERATION_STREAM_PREFIX)) {
    const moderation = decodeModerationEvent(type, upcast(type, recorded.data));
    return { recorded, moderation, postings: [], time: timeText(moderation.at) };
  }
  if (stream === BOOKS_STREAM) {
    const books = decodeBooksEvent(type, upcast(type, recorded.data));
    return { recorded, books, postings: [], time: timeText(books.at) };
  }
  return { recorded, postings: [], time: '' };
}

let lastAtMs = -1;
let lastText = '';

/** Many events share a millisecond, and formatting a time is slow. */
function timeText(atMs: number): string {
  if (atMs !== lastAtMs) {
    lastAtMs = atMs;
    lastText = new Date(atMs).toISOString();
  }
  return lastText;
}

/**
 * The prefixes that any of these read models needs, and the journal's: its revisions measure the progress of all read
 * models, even of those that use nothing from it.
 */
export const prefixesOf = (models: readonly ReadModel[]): string[] => [
  ...new Set([LEDGER_STREAM, ...models.flatMap((model) => model.streamPrefixes)]),
];

/** The events of a batch that a read model at `position` needs. */
export function eventsFor(
  model: ReadModel,
  position: bigint,
  events: readonly ProjectedEvent[],
): readonly ProjectedEvent[] {
  return events.filter(
    ({ recorded }) =>
      recorded.position > position && model.streamPrefixes.some((prefix) => recorded.stream.startsWith(prefix)),
  );
}

/** The last ledger revision in a batch; undefined if it has no ledger event. */
export const lastRevision = (events: readonly ProjectedEvent[]): number | undefined =>
  events.findLast(({ ledger }) => ledger !== undefined)?.recorded.revision;
