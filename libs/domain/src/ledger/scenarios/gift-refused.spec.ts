import { bought, closed, closing, earnsInfluence, gift } from '../testing/commands.js';
import { given } from '../testing/scenario.js';

test.each(['999.99', '1,000,000.01', '0', '-1,000'])('a gift of %s is outside the limits', (amount) => {
  given(bought('ann', '5,000,000'))
    .when(gift('ann', 'ben', amount))
    .refused('INVALID_AMOUNT');
});

test.each(['1,000', '1,000,000'])('a gift of %s is inside the limits', (amount) => {
  given(bought('ann', '1,000,000'))
    .when(gift('ann', 'ben', amount))
    .thenWrites('GiftSent');
});

test('a gift beyond the balance names what is available, owed rewards included', () => {
  given(bought('ann', '1,500'))
    .when(gift('ann', 'ben', '1,500.01'))
    .refused('INSUFFICIENT_NOVA', '1,500');
  given(bought('ann', '1,000'), earnsInfluence('ida'), bought('ida', '200'), gift('ann', 'ben', '1,000'))
    .when(gift('ida', 'ben', '1,000'))
    .refused('INSUFFICIENT_NOVA', '700');
});

test('a member who was never seen has nothing to give', () => {
  given()
    .when(gift('ann', 'ben', '1,000'))
    .refused('INSUFFICIENT_NOVA', '0');
});

test('a gift to oneself', () => {
  given(bought('ann', '1,000'))
    .when(gift('ann', 'ann', '1,000'))
    .refused('SELF_PAYMENT');
});

test('a gift to or from an account that is closing or closed', () => {
  given(bought('ann', '1,000'), closing('ben'))
    .when(gift('ann', 'ben', '1,000'))
    .refused('RECIPIENT_CLOSED');
  given(bought('ann', '1,000'), closing('ben'), closed('ben'))
    .when(gift('ann', 'ben', '1,000'))
    .refused('RECIPIENT_CLOSED');
  given(bought('ann', '1,000'), closing('ann'))
    .when(gift('ann', 'ben', '1,000'))
    .refused('ACCOUNT_CLOSED');
});

test.each(['', 'ann:purchased', 'a b', 'ä', 'x'.repeat(65)])('an id like "%s" goes no further', (recipientId) => {
  given(bought('ann', '1,000'))
    .when(gift('ann', recipientId, '1,000'))
    .refused('INVALID_COMMAND');
});
