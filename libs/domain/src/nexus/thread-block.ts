/** The hash before the first block of a chain. */
export const NO_BLOCK_HASH = '0'.repeat(64);

/** One block in a member's chain of threads (rule nexus-1). Ids, numbers and times only. */
export interface ThreadBlock {
  readonly ownerId: string;
  /** From 1, without gaps. */
  readonly blockNumber: number;
  /** Of the block before, `NO_BLOCK_HASH` for the first. */
  readonly previousHash: string;
  /** The other side of the chat. */
  readonly connectedId: string;
  /** `karma` for the host's side, `influence` for the initiator's. */
  readonly connectionType: 'karma' | 'influence';
  readonly chatId: string;
  /** What the owner gave, and what the owner was given; 75 to 100. */
  readonly givenRating: number;
  readonly receivedRating: number;
  /** Of the chat's completion, milliseconds since 1970. */
  readonly at: number;
}

/**
 * What a block's hash, its SHA-256, is made from: nine lines, joined by line feeds and without one at the end, in UTF-8: the
 * previous block's hash (64 hex digits), the owner's id, the block's number, the connected member's id, the connection's
 * type, the chat's id, the given and the received rating, and the time in milliseconds since 1970, numbers as decimal
 * digits. The server makes blocks with it, and the browser checks them with it.
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
