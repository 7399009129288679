import {
  accepted,
  DAY,
  exchanges,
  exit,
  given,
  later,
  leaves,
  MINUTE,
  requested,
  said,
  succeeded,
  swept,
} from '../testing/scenario.js';

const active = [requested('1,250'), accepted()];
const refunded = 'chat:c1:end RefundChatPayment reason=terminated';
const idle = 'chat:c1:end RefundChatPayment reason=idle';
const settled = (due: bigint): string => `chat:c1:end SettleChatPayment outcome=broken-off due=${due}`;

test('by the host: the initiator gets everything back', () => {
  given(active, exchanges(4)).when(exit('hal')).writes('ChatTerminated').owes(refunded);
});

test('by the initiator without a whole exchange: nothing is due', () => {
  given(active, said('ann', 2_000), said('ann', 2_000)).when(exit('ann')).owes(refunded);
});

test('by the initiator: price × progress, rounded down to the minor unit', () => {
  // (60 × 1 + 60) / 600 of 1,250.00
  given(active, exchanges(1)).when(exit('ann')).owes(settled(25_000n));
  // (60 × 1 + 3) / 600 of 1,250.01 = 131.2510…
  given(requested('1,250.01'), accepted(), said('ann', 1), said('hal', 2)).when(exit('ann')).owes(settled(13_125n));
  // Five exchanges, 299 characters: 599 / 600.
  given(active, exchanges(4), said('ann', 30)).when(said('hal', 29), exit('ann')).owes(settled(124_791n));
});

test('characters beyond 300 and exchanges beyond five count no further', () => {
  given(active, exchanges(2, 500)).when(exit('ann')).owes(settled(87_500n));
  given(active, exchanges(9, 1))
    .when(exit('ann'))
    .owes(settled((125_000n * 318n) / 600n));
});

test('no first message of the host within three minutes: as if the host had broken off', () => {
  given(active, said('ann'), later(3 * MINUTE - 1))
    .when(swept)
    .writes();
  given(active, said('ann'), later(3 * MINUTE))
    .when(swept)
    .writes('ChatTerminated')
    .is({ terminated: { by: 'host', cause: 'no-first-message', due: 0n } })
    .owes(refunded);
});

test('24 hours of silence: as if the side that owes the reply had broken off', () => {
  const talked = [...active, said('hal'), ...exchanges(1)];
  given(talked, later(DAY - 1))
    .when(swept)
    .writes();
  given(talked, later(DAY))
    .when(swept)
    .is({ terminated: { by: 'initiator', cause: 'idle', due: 31_250n } })
    .owes(settled(31_250n));
  given(talked, said('ann'), later(DAY))
    .when(swept)
    .is({ terminated: { by: 'host', cause: 'idle', due: 0n } })
    .owes(idle);
  given(active, said('hal'), later(DAY))
    .when(swept)
    .is({ terminated: { by: 'initiator', cause: 'idle', due: 0n } })
    .owes(idle);
});

test('after a deadline that nobody has looked at yet, whoever breaks off ends it as the deadline would have', () => {
  const talked = [...active, said('hal'), ...exchanges(1)];
  const byHost = { terminated: { by: 'host', cause: 'idle', due: 0n } } as const;
  const byInitiator = { terminated: { by: 'initiator', cause: 'idle', due: 31_250n } } as const;
  given(talked, said('ann'), later(DAY - 1))
    .when(exit('ann'))
    .is({ terminated: { by: 'initiator', cause: 'exit', due: 37_500n } });
  given(talked, said('ann'), later(DAY)).when(exit('ann')).is(byHost).owes(idle);
  given(talked, said('ann'), later(DAY)).when(leaves('ann')).is(byHost).owes(idle);
  given(talked, later(DAY)).when(exit('hal')).is(byInitiator).owes(settled(31_250n));
  given(active, said('ann'), later(3 * MINUTE))
    .when(exit('ann'))
    .is({ terminated: { by: 'host', cause: 'no-first-message', due: 0n } })
    .owes(refunded);
});

test('one ending only', () => {
  given(active, exit('ann')).when(exit('hal')).refused('CHAT_ENDED');
  given(active, exit('ann'), later(8 * DAY))
    .when(swept)
    .writes();
  given(succeeded()).when(exit('ann')).refused('CHAT_ENDED');
});

test('whoever closes their account breaks off what is open, and leaves what has ended', () => {
  given(requested()).when(leaves('hal')).writes('ChatTerminated').owes(refunded);
  given(active, exchanges(1)).when(leaves('ann')).owes(settled(25_000n));
  given(active, exit('hal')).when(leaves('ann')).writes();
  given(succeeded()).when(leaves('ann')).writes();
});
