import { bought, gift } from '../testing/commands.js';
import { given } from '../testing/scenario.js';

const key = { hash: '0123456789abcdef0123456789abcdef', fingerprint: '0000000000000001' };

const once = () =>
  given(bought('ann', '5,000'))
    .whenKeyed(key, gift('ann', 'ben', '1,000'))
    .thenWrites('GiftSent');

test('the same key and body is answered from the events: the money moved once', () => {
  once()
    .whenKeyed(key, gift('ann', 'ben', '1,000'))
    .answered('repeat', 1).balances(`
      account              before      after
      user:ann:purchased  4,000.00  4,000.00
      user:ben:earned       500.00    500.00
    `);
});

test('the same key with another body is refused', () => {
  once()
    .whenKeyed({ ...key, fingerprint: '0000000000000002' }, gift('ann', 'ben', '2,000'))
    .answered('reused').balances(`
      user:ann:purchased  4,000.00  4,000.00
    `);
});

test('another key is another gift', () => {
  once()
    .whenKeyed({ ...key, hash: key.hash.replace('f', 'e') }, gift('ann', 'ben', '1,000'))
    .thenWrites('GiftSent').balances(`
      user:ann:purchased  4,000.00  3,000.00
      user:ben:earned       500.00  1,000.00
      treasury              500.00  1,000.00
    `);
});

test('a refusal is not remembered: the same key may succeed later', () => {
  given()
    .whenKeyed(key, gift('ann', 'ben', '1,000'))
    .refused('INSUFFICIENT_NOVA')
    .when(bought('ann', '1,000'))
    .whenKeyed(key, gift('ann', 'ben', '1,000'))
    .thenWrites('GiftSent');
});

test('of several events of one command the first carries the key', () => {
  const scenario = once();
  const events = scenario
    .when(bought('ann', '1'))
    .whenKeyed({ ...key, hash: 'f'.repeat(32) }, gift('ann', 'cat', '1,000'))
    .events();
  expect(events.map((event) => event.key?.hash)).toEqual(['f'.repeat(32)]);
});
