import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  decodeQuestCountingEvent,
  encodeQuestCountingEvent,
  type MessagesCountOnceSuccessful,
  QUEST_COUNTING_STREAM,
} from '@app/domain';
import { DecidedStreams } from '../platform/journal/decided-streams.js';

/**
 * Records in the journal, once and before this server takes requests, that messages count for quests when their chat is
 * successful. Earlier messages counted by the older rule, and do so again whenever the read model is rebuilt.
 */
@Injectable()
export class QuestCounting implements OnModuleInit {
  constructor(private readonly streams: DecidedStreams) {}

  /** @throws AppError 503 */
  async onModuleInit(): Promise<void> {
    await this.streams.execute(
      {
        stream: QUEST_COUNTING_STREAM,
        initial: false,
        evolve: () => true,
        decode: decodeQuestCountingEvent,
        encode: encodeQuestCountingEvent,
      },
      (isSaid, at): { readonly events: readonly MessagesCountOnceSuccessful[] } => ({
        events: isSaid ? [] : [{ type: 'MessagesCountOnceSuccessful', at }],
      }),
      { actor: 'process' },
    );
  }
}
