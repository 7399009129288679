import { createHmac, randomBytes } from 'node:crypto';
import { Webhooks, type WebhookOptions } from './webhooks.js';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const NOW_MS = 1_800_000_000_000;
const BODY = JSON.stringify({ type: 'tokens.spent', data: { name: 'Zoë 🎁' } });

/** Signs as the specification says, by other means than the SDK. */
const signatureOf = (id: string, timestamp: number, body: string, secret = SECRET): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')}`;

const delivery = ({ id = 'msg_1', timestamp = NOW_MS / 1000, body = BODY, secret = SECRET } = {}) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signatureOf(id, timestamp, body, secret),
});

const webhooks = (more: Partial<WebhookOptions> = {}) =>
  new Webhooks({ secrets: [SECRET], now: () => NOW_MS, ...more });

describe('a delivery', () => {
  it('is the event that was sent, as text or as bytes, in any headers', async () => {
    const event = { ...JSON.parse(BODY), id: 'msg_1' };
    expect(await webhooks().verify(BODY, delivery())).toEqual(event);
    expect(await webhooks().verify(new TextEncoder().encode(BODY), new Headers(delivery()))).toEqual(event);
  });

  it('is signed as the specification’s example', async () => {
    const example = new Webhooks({
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      now: () => 1_614_265_330_000,
    });
    const body = '{"test": 2432232314}';
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    // Its body has no type: it is signed rightly, but no event of ours.
    await expect(example.verify(body, headers)).rejects.toMatchObject({ reason: 'malformed' });
    await expect(example.verify(`${body} `, headers)).rejects.toMatchObject({ reason: 'signature' });
  });

  it('may be signed by either secret while one replaces the other', async () => {
    const next = `whsec_${randomBytes(24).toString('base64')}`;
    const both = webhooks({ secrets: [next, SECRET] });
    expect(await both.verify(BODY, delivery())).toMatchObject({ id: 'msg_1' });
    const signedTwice = delivery({ id: 'msg_2' });
    const other = delivery({ id: 'msg_2', secret: next })['webhook-signature'];
    const headers = { ...signedTwice, 'webhook-signature': `v1a,xx ${other} ${signedTwice['webhook-signature']}` };
    expect(await webhooks().verify(BODY, headers)).toMatchObject({ id: 'msg_2' });
  });

  it.each([
    ['another body', BODY.replace('spent', 'earned'), {}],
    ['another id', BODY, { 'webhook-id': 'msg_2' }],
    ['another time', BODY, { 'webhook-timestamp': String(NOW_MS / 1000 - 1) }],
    ['another secret', BODY, delivery({ secret: `whsec_${randomBytes(32).toString('base64')}` })],
    ['another version', BODY, { 'webhook-signature': delivery()['webhook-signature'].replace('v1', 'v2') }],
    ['half a signature', BODY, { 'webhook-signature': delivery()['webhook-signature'].slice(0, -8) }],
    ['no Base64', BODY, { 'webhook-signature': 'v1,???' }],
  ])('is refused with %s', async (_, body, changed) => {
    await expect(webhooks().verify(body, { ...delivery(), ...changed })).rejects.toMatchObject({ reason: 'signature' });
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('is refused without %s', async (name) => {
    await expect(webhooks().verify(BODY, { ...delivery(), [name]: undefined })).rejects.toMatchObject({
      reason: 'malformed',
    });
  });

  it('is refused more than five minutes from our time', async () => {
    const at = (seconds: number) => webhooks().verify(BODY, delivery({ timestamp: NOW_MS / 1000 + seconds }));
    expect(await at(-300)).toMatchObject({ id: 'msg_1' });
    expect(await at(300)).toMatchObject({ id: 'msg_1' });
    await expect(at(-301)).rejects.toMatchObject({ reason: 'too-old' });
    await expect(at(301)).rejects.toMatchObject({ reason: 'too-new' });
  });

  it('is refused when it comes again, but another attempt of the same event is not', async () => {
    const one = webhooks();
    await one.verify(BODY, delivery());
    await expect(one.verify(BODY, delivery())).rejects.toMatchObject({ reason: 'replayed' });
    expect(await one.verify(BODY, delivery({ timestamp: NOW_MS / 1000 + 5 }))).toMatchObject({ id: 'msg_1' });
  });

  it('is remembered only as long as it could come again', async () => {
    let now = NOW_MS;
    const asked: number[] = [];
    const one = webhooks({ now: () => now, remember: (_, untilMs) => asked.push(untilMs) > 0 });
    await one.verify(BODY, delivery());
    expect(asked).toEqual([NOW_MS + 300_000]);
    now += 300_001;
    await expect(one.verify(BODY, delivery())).rejects.toMatchObject({ reason: 'too-old' });
  });
});

it.each([[[]], [['secret']], [['whsec_']], [['whsec_*']]])('takes no secrets like %j', (secrets) => {
  expect(() => new Webhooks({ secrets })).toThrow(TypeError);
});
