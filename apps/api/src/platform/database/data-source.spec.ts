import { freePort } from '../../../../../test/support/product.js';
import { Explained } from '../errors/explained.js';
import { migrate } from './data-source.js';

describe('a database that cannot be used', () => {
  it('is named by its setting, with the reason', async () => {
    const opening = migrate(`postgres://nova@127.0.0.1:${await freePort()}/nova`, { entities: [], areas: [] });
    await expect(opening).rejects.toThrow(
      /^The database that DATABASE_URL names cannot be used: connect ECONNREFUSED .*\.$/,
    );
    await expect(opening).rejects.toBeInstanceOf(Explained);
  });
});
