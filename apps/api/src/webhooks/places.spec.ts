import {
  PLACES_MAX,
  PLACES_OF_ENDPOINT,
  PLACES_OF_OWNER_MAX,
  UNPROVEN_PLACES_MAX,
  UNPROVEN_PLACES_OF_OWNER_MAX,
} from './limits.js';
import { type Placed, Places } from './places.js';

const of = (endpointId: string, more: Partial<Placed> = {}): Placed => ({
  endpointId,
  ownerId: `owner of ${endpointId}`,
  isFirst: true,
  ...more,
});
const fill = (places: Places, placed: Placed) => {
  const taken = [];
  for (let back = places.take(placed); back; back = places.take(placed)) taken.push(back);
  return taken;
};
/** An endpoint whose answers earned it all places that one may have. */
const prove = (places: Places, placed: Placed): void => {
  for (let count = 0; count < PLACES_OF_ENDPOINT.max; count++) places.take(placed)?.(1);
};

describe('the places of the sender', () => {
  it('are few for a new endpoint, more for one that answers quickly, and fewest for one that fails', () => {
    const places = new Places();
    const { first, max, min } = PLACES_OF_ENDPOINT;
    expect(places.freeOf('a')).toEqual({ firsts: first - 1, retries: 1 });
    prove(places, of('a'));
    expect(places.freeOf('a')).toEqual({ firsts: max * 0.75, retries: max / 4 });
    for (let count = 0; count < 10; count++) places.take(of('a'))?.(undefined);
    expect(places.freeOf('a')).toEqual({ firsts: min - 1, retries: 1 });
    prove(places, of('a'));
    for (let count = 0; count < 10; count++) places.take(of('a'))?.(1_001);
    expect(places.freeOf('a')).toEqual({ firsts: min - 1, retries: 1 });
  });

  it('of retries leave first attempts theirs', () => {
    const places = new Places();
    expect(fill(places, of('a', { isFirst: false }))).toHaveLength(1);
    expect(fill(places, of('a'))).toHaveLength(PLACES_OF_ENDPOINT.first - 1);
  });

  it('are left to the proven, however many dead endpoints there are, and of however many developers', () => {
    const places = new Places();
    for (let n = 0; n < 50; n++) prove(places, of('good'));
    for (let n = 0; n < 1_000; n++) fill(places, of(`dead ${n}`));
    expect(places.busy).toBe(UNPROVEN_PLACES_MAX);
    expect(fill(places, of('good'))).toHaveLength(PLACES_OF_ENDPOINT.max * 0.75);
  });

  it('of one developer are bounded over all their endpoints', () => {
    const places = new Places();
    for (let n = 0; n < 250; n++) fill(places, of(`dead ${n}`, { ownerId: 'one' }));
    expect(places.busy).toBe(UNPROVEN_PLACES_OF_OWNER_MAX);
    const others = new Places();
    for (let n = 0; n < 10; n++) prove(others, of(`good ${n}`, { ownerId: 'one' }));
    for (let n = 0; n < 10; n++) fill(others, of(`good ${n}`, { ownerId: 'one' }));
    expect(others.busy).toBe(PLACES_OF_OWNER_MAX);
  });

  it('are bounded altogether, and all come back', () => {
    const places = new Places();
    const taken = [];
    for (let n = 0; n < 100; n++) {
      prove(places, of(`good ${n}`));
      taken.push(...fill(places, of(`good ${n}`)));
    }
    expect(taken).toHaveLength(PLACES_MAX);
    for (const giveBack of taken) giveBack(1);
    expect(places.busy).toBe(0);
  });

  it('of endpoints that are as at first are not remembered', () => {
    const places = new Places();
    places.take(of('a'))?.(undefined);
    places.take(of('a'))?.(1);
    places.take(of('a'))?.(1);
    expect(places.known).toEqual([]);
  });
});
