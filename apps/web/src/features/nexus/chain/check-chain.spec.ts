import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { NO_BLOCK_HASH, threadPreimage } from '@app/domain';
import type { PersonalThread } from '../thread-types';
import { checkChain, type ChainVerdict } from './check-chain';

const OWNER = '018f0000-0000-7000-8000-000000000001';
const sha256 = (text: string): Promise<string> => Promise.resolve(createHash('sha256').update(text).digest('hex'));

async function chainOf(count: number): Promise<PersonalThread[]> {
  const chain: PersonalThread[] = [];
  for (let blockNumber = 1; blockNumber <= count; blockNumber++) {
    const block = {
      ownerId: OWNER,
      blockNumber,
      previousHash: chain[0]?.hash ?? NO_BLOCK_HASH,
      connectionType: blockNumber % 2 === 0 ? ('karma' as const) : ('influence' as const),
      chatId: `chat-${blockNumber}`,
      givenRating: 90,
      receivedRating: 80,
      at: 1_700_000_000_000 + blockNumber,
    };
    const connectedId = `member-${blockNumber}`;
    const hash = await sha256(threadPreimage({ ...block, connectedId }));
    chain.unshift({
      ...block,
      id: hash,
      hash,
      connectedUser: { id: connectedId, displayName: 'Ann', profileImageUrl: null },
      connectedUserMood: 'blue',
      connectedUserRating: 80,
      connectedUserComment: null,
      ownerRole: block.connectionType === 'karma' ? 'host' : 'initiator',
      ownerRating: 90,
      ownerComment: null,
      personalNovaReceived: 0,
      personalNovaOwed: 0,
      createdAt: new Date(block.at).toISOString(),
    });
  }
  return chain;
}

async function* pagesOf(chain: readonly PersonalThread[], size: number): AsyncGenerator<readonly PersonalThread[]> {
  for (let from = 0; from < chain.length; from += size) yield await Promise.resolve(chain.slice(from, from + size));
}

interface Walked {
  verdict: ChainVerdict;
  progress: number[];
}

async function walk(
  chain: readonly PersonalThread[],
  said: { blocks?: number; headHash?: string | null } = {},
): Promise<Walked> {
  const progress: number[] = [];
  const { blocks = chain.length, headHash = chain[0]?.hash ?? null } = said;
  const verdict = await checkChain({
    ownerId: OWNER,
    blocks,
    headHash,
    pages: pagesOf(chain, 2),
    sha256,
    onProgress: (checked) => progress.push(checked),
  });
  return { verdict, progress };
}

/** The chain with one block changed; `number` counts from 1. */
const changed = (chain: readonly PersonalThread[], number: number, change: Partial<PersonalThread>): PersonalThread[] =>
  chain.map((block) => (block.blockNumber === number ? { ...block, ...change } : block));

describe('checking a chain of threads', () => {
  test('a chain that is as it was made checks out, page by page', async () => {
    expect(await walk(await chainOf(5))).toEqual({ verdict: { checked: 5, fault: null }, progress: [2, 4, 5] });
    expect((await walk([])).verdict).toEqual({ checked: 0, fault: null });
  });

  test.each<[string, Partial<PersonalThread>]>([
    ['rating given', { givenRating: 91 }],
    ['rating received', { receivedRating: 100 }],
    ['time', { at: 1 }],
    ['chat', { chatId: 'another' }],
    ['side', { connectionType: 'influence' }],
    ['counterpart', { connectedUser: { id: 'eve', displayName: 'Ann', profileImageUrl: null } }],
  ])('a changed %s is found', async (_, change) => {
    const { verdict } = await walk(changed(await chainOf(5), 2, change));
    expect(verdict).toEqual({
      checked: 5,
      fault: { blockNumber: 2, sentence: 'Its hash does not match its content.' },
    });
  });

  test('a name may change: it is no part of a block', async () => {
    const connectedUser = { id: 'member-2', displayName: 'Deleted member', profileImageUrl: null };
    expect((await walk(changed(await chainOf(3), 2, { connectedUser }))).verdict.fault).toBeNull();
  });

  test('of several faults the lowest block is told', async () => {
    const chain = changed(changed(await chainOf(5), 4, { givenRating: 76 }), 2, { givenRating: 77 });
    expect((await walk(chain)).verdict.fault?.blockNumber).toBe(2);
  });

  test('a block that was made again with its own right hash breaks the chain after it', async () => {
    const chain = await chainOf(4);
    const [block] = chain.filter(({ blockNumber }) => blockNumber === 2);
    if (!block) throw new Error('there are four');
    const forged = { ...block, givenRating: 100 };
    const hash = await sha256(threadPreimage({ ...forged, connectedId: forged.connectedUser.id }));
    expect((await walk(changed(chain, 2, { ...forged, hash }))).verdict.fault).toEqual({
      blockNumber: 2,
      sentence: 'The block after it names another hash.',
    });
  });

  test('missing blocks are found wherever they were', async () => {
    const chain = await chainOf(5);
    const without = (number: number): PersonalThread[] => chain.filter(({ blockNumber }) => blockNumber !== number);
    const faultWithout = async (number: number) =>
      (await walk(without(number), { blocks: 5, headHash: chain[0]?.hash ?? null })).verdict.fault;
    expect(await faultWithout(3)).toEqual({ blockNumber: 2, sentence: 'The block after it is missing.' });
    expect(await faultWithout(1)).toEqual({ blockNumber: 1, sentence: 'It is missing.' });
    expect(await faultWithout(5)).toEqual({ blockNumber: 5, sentence: 'It is missing.' });
    expect((await walk([], { blocks: 2 })).verdict.fault).toEqual({ blockNumber: 1, sentence: 'It is missing.' });
  });

  test('a chain of another member, or with another head than its figures say, is told', async () => {
    const chain = await chainOf(2);
    expect((await walk(changed(chain, 1, { ownerId: 'eve' }))).verdict.fault?.sentence).toBe(
      'It belongs to the chain of another member.',
    );
    expect((await walk(chain, { headHash: NO_BLOCK_HASH })).verdict.fault).toEqual({
      blockNumber: 2,
      sentence: 'The chain’s figures name another newest hash.',
    });
  });

  test('blocks that came while it was walked are no fault', async () => {
    const chain = await chainOf(4);
    const asOfThree = { blocks: 3, headHash: chain[1]?.hash ?? null };
    expect((await walk(chain, asOfThree)).verdict).toEqual({ checked: 4, fault: null });
  });
});
