import { encodeMemberEvent, type MemberEvent, memberStream } from '@app/domain';
import { MemoryEventStore } from '@app/event-store';
import type { Projections } from '@app/projections';
import { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { MemberDirectory } from '../identity/member-directory.js';
import { DecidedStreams } from '../platform/journal/decided-streams.js';
import { StreamMetadata } from '../platform/journal/stream-metadata.js';
import type { OpenLedger } from '../platform/ledger/open-ledger.js';
import { MemberRelations, MemberStore } from './member-relations.js';

const TOGGLES = 500;

/** Relations between members, from their streams alone. */
async function relationsAfter(memberId: string, events: readonly MemberEvent[]): Promise<MemberRelations> {
  const store = new MemoryEventStore({ maxAppendBytes: Infinity });
  const recorded = events.map((event) => ({
    id: uuidv7(),
    type: event.type,
    data: encodeMemberEvent(event),
    metadata: '{}',
  }));
  await store.append(memberStream(memberId), recorded, 'none');
  const streams = new DecidedStreams(store, {} as OpenLedger, {} as Projections, new StreamMetadata(2));
  return new MemberRelations(new Pool(), streams, new MemberStore(streams), {} as MemberDirectory);
}

/** How many elements of arrays the work reads or copies, one by one. */
async function elementsTaken(work: () => Promise<unknown>): Promise<number> {
  const steps = jest.spyOn(Object.getPrototypeOf([].values()), 'next');
  try {
    await work();
    return steps.mock.calls.length;
  } finally {
    steps.mockRestore();
  }
}

it('finds a block by looking at every event once', async () => {
  const facts = { memberId: 'ann', at: 1 };
  const toggles = Array.from({ length: TOGGLES }, (): MemberEvent[] => [
    { type: 'MemberFollowed', ...facts, otherId: 'eve' },
    { type: 'MemberUnfollowed', ...facts, otherId: 'eve' },
  ]);
  const history: MemberEvent[] = [...toggles.flat(), { type: 'MemberBlocked', ...facts, otherId: 'hal' }];
  const relations = await relationsAfter('ann', history);
  expect(await relations.blockerOf('eve', 'ann')).toBeUndefined();
  const taken = await elementsTaken(async () => expect(await relations.blockerOf('ann', 'hal')).toBe('ann'));
  expect(taken).toBeLessThan(100 * history.length);
});
