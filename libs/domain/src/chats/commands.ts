/** Commands to one chat. The caller supplies time and ids. */
export type ChatCommand =
  /** Sent after the price was held. */
  | {
      readonly type: 'RequestChat';
      readonly chatId: string;
      readonly initiatorId: string;
      readonly hostId: string;
      /** Minor units of NOVA. */
      readonly price: bigint;
    }
  /** A hold without a chat. */
  | {
      readonly type: 'AbandonRequest';
      readonly chatId: string;
      readonly initiatorId: string;
      readonly hostId: string;
    }
  | { readonly type: 'AcceptChat'; readonly memberId: string }
  | { readonly type: 'DeclineChat'; readonly memberId: string }
  | {
      readonly type: 'SendChatMessage';
      readonly memberId: string;
      readonly messageId: string;
      /** Code points of the trimmed text, and those of them that are not blank. */
      readonly characters: number;
      readonly nonBlankCharacters: number;
    }
  | { readonly type: 'TerminateChat'; readonly memberId: string; readonly cause: 'exit' | 'account-closing' }
  | { readonly type: 'VerifyChat'; readonly memberId: string; readonly isSuccessful: boolean }
  | { readonly type: 'NudgeChat'; readonly memberId: string }
  | { readonly type: 'RateChat'; readonly memberId: string; readonly rating: number; readonly follow: boolean }
  /** Ends everything that is overdue: request, first host message, silence, ratings. Does nothing otherwise. */
  | { readonly type: 'EnforceDeadlines' };
