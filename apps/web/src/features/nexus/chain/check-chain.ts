import { NO_BLOCK_HASH, threadPreimage } from '@app/domain';
import type { PersonalThread } from '../thread-types';

export interface ChainCheck {
  ownerId: string;
  /** The number of blocks according to the server, and the hash of the newest. */
  blocks: number;
  headHash: string | null;
  /** The chain from its newest block to its first, in pages. */
  pages: AsyncIterable<readonly PersonalThread[]>;
  /** SHA-256 of a text in UTF-8, 64 lower-case hex digits. */
  sha256: (text: string) => Promise<string>;
  onProgress: (checked: number) => void;
}

export interface ChainVerdict {
  checked: number;
  /** The lowest faulty block; null if there is none. */
  fault: { blockNumber: number; sentence: string } | null;
}

/**
 * Checks a member's whole chain: recomputes every block's hash from its content, compares it with the hash that the
 * next block names, and checks that numbers go down to 1 without a gap.
 */
export async function checkChain({ pages, onProgress, ...chain }: ChainCheck): Promise<ChainVerdict> {
  let verdict: ChainVerdict = { checked: 0, fault: null };
  let newer: PersonalThread | undefined;
  for await (const page of pages) {
    for (const block of page) {
      const sentence = await faultOf(block, newer, chain);
      const fault = sentence === undefined ? verdict.fault : { blockNumber: block.blockNumber, sentence };
      verdict = { checked: verdict.checked + 1, fault };
      newer = block;
    }
    onProgress(verdict.checked);
  }
  return verdict.fault === null ? { ...verdict, fault: faultOfEnds(newer, verdict.checked, chain) } : verdict;
}

type Expected = Pick<ChainCheck, 'ownerId' | 'blocks' | 'headHash' | 'sha256'>;

async function faultOf(
  block: PersonalThread,
  newer: PersonalThread | undefined,
  { ownerId, blocks, headHash, sha256 }: Expected,
): Promise<string | undefined> {
  if (block.ownerId !== ownerId) return 'It belongs to the chain of another member.';
  if (newer !== undefined && block.blockNumber !== newer.blockNumber - 1) return 'The block after it is missing.';
  if ((await sha256(threadPreimage({ ...block, connectedId: block.connectedUser.id }))) !== block.hash) {
    return 'Its hash does not match its content.';
  }
  if (newer !== undefined && newer.previousHash !== block.hash) return 'The block after it names another hash.';
  if (block.blockNumber === blocks && block.hash !== headHash) return 'The chain’s figures name another newest hash.';
  return undefined;
}

/**
 * What is wrong with the ends of a chain: its first block must follow none, and the number of blocks must be the stated
 * one.
 */
function faultOfEnds(first: PersonalThread | undefined, checked: number, { blocks }: Expected): ChainVerdict['fault'] {
  if (checked < blocks && (first === undefined || first.blockNumber === 1)) {
    return { blockNumber: checked + 1, sentence: 'It is missing.' };
  }
  if (first === undefined) return null;
  if (first.blockNumber !== 1) return { blockNumber: first.blockNumber - 1, sentence: 'It is missing.' };
  if (first.previousHash !== NO_BLOCK_HASH) return { blockNumber: 1, sentence: 'It builds on a missing block.' };
  return null;
}
