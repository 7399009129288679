import { MESSAGE_CHARACTERS_MAX } from '@app/domain';
import { Decoder, Encoder, PacketType } from 'socket.io-parser';
import { FRAME_BYTES_MAX } from './limits.js';
import { bytesOf, frameParser, PlainFrame, REFUSED } from './frame-decoder.js';

describe('the decoder of Socket.IO packets', () => {
  const decode = (...data: unknown[]) => {
    const packets: unknown[] = [];
    const decoder = new frameParser.Decoder();
    decoder.on('decoded', (packet) => packets.push(packet));
    for (const each of data) decoder.add(each);
    return packets;
  };

  it('reads what Socket.IO’s own encoder writes', () => {
    const packet = { type: PacketType.EVENT, nsp: '/', data: ['join_chat', { chatId: 'x' }], id: 7 };
    expect(decode(...new Encoder().encode(packet))).toEqual([packet]);
  });

  it.each(['', '2{', '2["a"', '2["disconnect"]', '9["a"]', '2nonsense', '51-["a",{"_placeholder":true,"num":0}]'])(
    'turns a packet that it cannot read into a refusal: %s',
    (data) => expect(decode(data)).toMatchObject([{ type: PacketType.EVENT, nsp: '/', data: [REFUSED, 'malformed'] }]),
  );

  it('refuses unread what has thousands of parts, and not the longest message', () => {
    const wide = `{${Array.from({ length: 3_000 }, (_, index) => `"k${index}":1`).join(',')}}`;
    expect(decode(`24["video_signal",${wide}]`)).toMatchObject([{ id: 4, data: [REFUSED, 'too-complex'] }]);
    const message = { message: ','.repeat(MESSAGE_CHARACTERS_MAX) };
    expect(decode(`25["chat_message",${JSON.stringify(message)}]`)).toMatchObject([
      { data: ['chat_message', message] },
    ]);
  });

  it('is needed: Socket.IO’s own throws', () => {
    expect(() => new Decoder().add('2nonsense')).toThrow();
  });

  it('refuses binary data', () => {
    expect(decode(Buffer.from('x'), { base64: true }, 7)).toMatchObject(
      Array.from({ length: 3 }, () => ({ data: [REFUSED, 'malformed'] })),
    );
  });

  it('refuses what is too large unread, and keeps the number of its acknowledgement', () => {
    const text = 'x'.repeat(FRAME_BYTES_MAX);
    expect(decode(`212["chat_message","${text}"]`)).toMatchObject([{ id: 12, data: [REFUSED, 'too-large'] }]);
    expect(decode(`2["chat_message","${text}"]`)[0]).not.toHaveProperty('id');
    expect(decode(`2/x,3["${text}"]`)).toMatchObject([{ id: 3, data: [REFUSED, 'too-large'] }]);
  });
});

describe('the decoder of plain frames', () => {
  const decode = (frame: string, isBinary = false) => {
    const decoder = new frameParser.Decoder();
    let event: unknown[] = [];
    decoder.on('decoded', ({ data }) => (event = data as unknown[]));
    decoder.add(new PlainFrame(Buffer.from(frame), isBinary));
    return event;
  };

  it('takes the type from beside the fields', () => {
    expect(decode('{"type":"ping","a":1}')).toEqual(['ping', { type: 'ping', a: 1 }]);
    expect(decode('{}')).toEqual([undefined, {}]);
  });

  it('refuses what is no object, binary, too large or too wide, taking no room', () => {
    for (const data of ['', '{', 'null', '7', '[]', '"x"', '\ufeff{}x', '{"type":"ping"', '['.repeat(20_000)]) {
      expect(decode(data)).toEqual([REFUSED, 'malformed']);
    }
    expect(decode('{"type":"ping"}', true)).toEqual([REFUSED, 'malformed']);
    const large = decode(`{"type":"${'x'.repeat(FRAME_BYTES_MAX)}"}`);
    expect([large, bytesOf(large)]).toEqual([[REFUSED, 'too-large'], 0]);
    expect(decode(`{"type":"x","list":[${'1,'.repeat(3_000)}1]}`)).toEqual([REFUSED, 'too-complex']);
  });

  it('knows how much came', () => {
    expect(bytesOf(decode('{"type":"é"}'))).toBe(13);
  });
});
