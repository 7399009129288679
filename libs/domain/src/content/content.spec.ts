import { LedgerInvariantError } from '../ledger/invariant.js';
import { CARD_CHANGES_MAX, decideCard, evolveCard, newCard } from './card.js';
import { decodeContentEvent, encodeContentEvent } from './codec.js';
import { type ContentItem, decideContentItem, evolveContentItem } from './item.js';

const publish = { type: 'PublishContent', contentId: 'c', authorId: 'ann', surface: 'feed' } as const;
const remove = { type: 'RemoveContent' } as const;
const published = { type: 'ContentPublished', contentId: 'c', authorId: 'ann', surface: 'feed', at: 5 } as const;
const removed = { type: 'ContentRemoved', contentId: 'c', authorId: 'ann', at: 6 } as const;

const given = (...events: Parameters<typeof evolveContentItem>[1][]): ContentItem | undefined => {
  let state: ContentItem | undefined;
  for (const event of events) state = evolveContentItem(state, event);
  return state;
};

test('content is published once and removed once', () => {
  expect(decideContentItem(undefined, publish, 5)).toEqual([published]);
  expect(decideContentItem(given(published), publish, 6)).toEqual([]);
  expect(decideContentItem(given(published), remove, 6)).toEqual([removed]);
  expect(decideContentItem(given(published, removed), remove, 7)).toEqual([]);
  expect(decideContentItem(given(published, removed), publish, 7)).toEqual([]);
  expect(decideContentItem(undefined, remove, 7)).toEqual([]);
});

test('events that cannot follow are refused', () => {
  expect(() => given(published, published)).toThrow(LedgerInvariantError);
  expect(() => given(removed)).toThrow(LedgerInvariantError);
  expect(() => given(published, removed, removed)).toThrow(LedgerInvariantError);
});

test('a card shows one thing, or the picture', () => {
  const chosen = { type: 'CardContentChosen', memberId: 'ann', contentId: 'c', at: 5 } as const;
  const picture = { ...chosen, contentId: null, at: 6 };
  expect(decideCard(newCard, { memberId: 'ann', contentId: 'c' }, 5)).toEqual({ events: [chosen] });
  const state = evolveCard(newCard, chosen);
  expect(decideCard(state, { memberId: 'ann', contentId: 'c' }, 6)).toEqual({ events: [] });
  expect(decideCard(state, { memberId: 'ann', contentId: null }, 6)).toEqual({ events: [picture] });
  expect(decideCard(newCard, { memberId: 'ann', contentId: null }, 6)).toEqual({ events: [] });
});

test('a card that is changed for ever is stopped at what it shows, or at the picture', () => {
  const long = { contentId: 'c', changes: CARD_CHANGES_MAX };
  const choosing = (state: typeof long, contentId: string | null) =>
    decideCard(state, { memberId: 'ann', contentId }, 5);
  expect(choosing({ ...long, changes: CARD_CHANGES_MAX - 1 }, 'd')).toMatchObject({ events: [{ contentId: 'd' }] });
  expect(choosing(long, 'd')).toMatchObject({ rejection: { code: 'TOO_MANY' } });
  expect(choosing(long, 'c')).toEqual({ events: [] });
  expect(choosing(long, null)).toMatchObject({ events: [{ contentId: null }] });
});

test('events survive being written and read', () => {
  for (const event of [
    published,
    removed,
    { type: 'CardContentChosen', memberId: 'ann', contentId: null, at: 7 } as const,
  ]) {
    expect(decodeContentEvent(event.type, encodeContentEvent(event))).toEqual(event);
  }
  expect(() => decodeContentEvent('CardContentChosen', '{"memberId":"a","contentId":5,"at":1}')).toThrow(
    'nullable-text',
  );
  expect(() => decodeContentEvent('ContentBurned', '{}')).toThrow('no such event');
});
