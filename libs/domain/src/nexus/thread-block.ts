/** The hash before the first block of a chain. */
export const NO_BLOCK_HASH = '0'.repeat(64);

/** One block in a member's chain of threads (rule nexus-1). Ids, numbers and times only. */
export interface ThreadBlock {
  readonly ownerId: string;
  /** From 1, without gaps. */
  readonly blockNumber: number;
  /** The hash of the block before, `NO_BLOCK_HASH` for the first. */
  readonly previousHash: string;
  /** The other side of the chat. */
  readonly connectedId: string;
  /** `karma` for the host's side, `influence` for the initiator's. */
  readonly connectionType: 'karma' | 'influence';
  readonly chatId: string;
  /** The ratings that the owner gave and received; 75 to 100. */
  readonly givenRating: number;
  readonly receivedRating: number;
  /** When the chat was completed, in milliseconds since 1970. */
  readonly at: number;
}

/**
 * The text whose SHA-256 is a block's hash: nine lines in UTF-8, joined by line feeds and without one at the end: the
 * previous block's hash (64 hex digits), the owner's id, the block's number, the connected member's id, the
 * connection's type, the chat's id, the given and the received rating, and the time in milliseconds since 1970, numbers
 * as decimal digits. The server makes blocks with this function, and the browser checks them with it.
 */
export const threadPreimage = (block: ThreadBlock): string =>
  [
    block.previousHash,
    block.ownerId,
    block.blockNumber,
    block.connectedId,
    block.connectionType,
    block.chatId,
    block.givenRating,
    block.receivedRating,
    block.at,
  ].join('\n');
