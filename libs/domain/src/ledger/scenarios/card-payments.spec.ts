import { bought, cardPayment, closing, earnsInfluence } from '../testing/commands.js';
import { given } from '../testing/scenario.js';

test.each([
  ['unlock', 'CardUnlocked'],
  ['upvote', 'CardUpvoted'],
  ['navigate', 'CardNavigated'],
  ['wall', 'WallCommentPaid'],
  ['scroll', 'FeedScrolled'],
] as const)('%s: half to the owner of the card or post, half to the holders of Influence', (kind, event) => {
  given(bought('ann', '100'), earnsInfluence('ida'))
    .when(cardPayment(kind, 'ann', 'ben', '50'))
    .thenWrites(event).balances(`
      account             before     after
      user:ann:purchased  100.00     50.00
      user:ben:earned       0.00     25.00
      pool:influence        0.00     25.00
      owed:ida              0.00     25.00
    `);
});

test('the smallest amount goes to the owner alone', () => {
  given(bought('ann', '100'))
    .when(cardPayment('scroll', 'ann', 'ben', '0.01'))
    .thenWrites('FeedScrolled').balances(`
      user:ann:purchased  100.00     99.99
      user:ben:earned       0.00      0.01
    `);
});

test('refused: oneself, nothing, too much, a closed owner', () => {
  const ann = () => given(bought('ann', '100'), closing('cat'));
  ann()
    .when(cardPayment('upvote', 'ann', 'ann', '50'))
    .refused('SELF_PAYMENT');
  ann()
    .when(cardPayment('upvote', 'ann', 'ben', '0'))
    .refused('INVALID_AMOUNT');
  ann()
    .when(cardPayment('upvote', 'ann', 'ben', '-1'))
    .refused('INVALID_AMOUNT');
  ann()
    .when(cardPayment('upvote', 'ann', 'ben', '100.01'))
    .refused('INSUFFICIENT_NOVA', '100');
  ann()
    .when(cardPayment('upvote', 'ann', 'cat', '50'))
    .refused('RECIPIENT_CLOSED');
  ann()
    .when(cardPayment('upvote', 'cat', 'ann', '50'))
    .refused('ACCOUNT_CLOSED');
});
