import { CHAT_START_MS } from '../testing/chat-run.js';
import {
  abandoned,
  accepted,
  declined,
  exit,
  given,
  later,
  MINUTE,
  requested,
  SECOND,
  swept,
} from '../testing/scenario.js';

test('a request waits two minutes for the host', () => {
  given()
    .when(requested())
    .writes('ChatRequested')
    .is({ status: 'requested', price: 125_000n, acceptBy: CHAT_START_MS + 2 * MINUTE })
    .owes();
});

test('a chat is requested once, and with somebody else', () => {
  given(requested()).when(requested()).refused('CHAT_EXISTS');
  given()
    .when({ type: 'RequestChat', chatId: 'c1', initiatorId: 'ann', hostId: 'ann', price: 1n })
    .refused('SELF_CHAT');
});

test('the host accepts, up to the last moment', () => {
  given(requested(), later(2 * MINUTE - 1))
    .when(accepted())
    .writes('ChatAccepted')
    .is({ status: 'active', verifyBy: CHAT_START_MS + 5 * MINUTE - 1 })
    .owes();
  given(requested(), later(2 * MINUTE))
    .when(accepted())
    .refused('CHAT_REQUEST_EXPIRED');
  given(requested(), accepted()).when(accepted()).refused('CHAT_NOT_REQUESTED');
});

test('only the host answers, and a stranger learns nothing', () => {
  given(requested()).when(accepted('ann')).refused('NOT_HOST');
  given(requested()).when(accepted('eve')).refused('CHAT_NOT_FOUND');
  given().when(accepted()).refused('CHAT_NOT_FOUND');
});

test('declined: everything goes back, and nothing follows', () => {
  given(requested())
    .when(declined())
    .writes('ChatDeclined')
    .is({ status: 'declined' })
    .owes('chat:c1:end RefundChatPayment reason=declined');
  given(requested(), declined()).when(accepted()).refused('CHAT_NOT_REQUESTED');
  given(requested(), declined()).when(declined()).refused('CHAT_NOT_REQUESTED');
  given(requested(), declined()).when(exit('ann')).refused('CHAT_ENDED');
});

test('expired by the sweep, once, and not before its time', () => {
  given(requested(), later(2 * MINUTE - 1))
    .when(swept)
    .writes();
  given(requested(), later(2 * MINUTE))
    .when(swept)
    .writes('ChatRequestExpired')
    .owes('chat:c1:end RefundChatPayment reason=expired');
  given(requested(), later(3 * MINUTE), swept)
    .when(swept)
    .writes();
  given(requested(), later(3 * MINUTE), swept)
    .when(accepted())
    .refused('CHAT_REQUEST_EXPIRED');
});

test('the initiator takes the request back', () => {
  given(requested(), later(10 * SECOND))
    .when(exit('ann'))
    .writes('ChatTerminated')
    .owes('chat:c1:end RefundChatPayment reason=terminated');
});

test('a hold without a request is given back, and no request can follow', () => {
  given()
    .when(abandoned)
    .writes('ChatRequestAbandoned')
    .is({ status: 'expired', abandoned: true })
    .owes('chat:c1:end RefundChatPayment reason=abandoned');
  given(abandoned).when(requested()).refused('CHAT_EXISTS');
  given(requested()).when(abandoned).refused('CHAT_EXISTS');
});
