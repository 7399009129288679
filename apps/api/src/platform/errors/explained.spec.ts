import { reasonOf } from './explained.js';

describe('the reason of an error', () => {
  it('is what it says, or what those say that it holds', () => {
    expect(reasonOf(new Error('no space left'))).toBe('no space left');
    const refused = ['::1', '127.0.0.1'].map((host) => new Error(`connect ECONNREFUSED ${host}:5432`));
    expect(reasonOf(new AggregateError(refused))).toBe(
      'connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432',
    );
    expect(reasonOf('gone')).toBe('gone');
  });
});
